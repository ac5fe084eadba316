// The sound of a proved goal: three soft notes. It is off unless the player has chosen it.

const NOTES_HZ = [523.25, 659.25, 783.99]
/** How many seconds lie between two notes, and how long one rings. */
const STEP_S = 0.16
const RING_S = 0.9
const LOUDNESS = 0.08

export function playProved(): void {
  if (typeof AudioContext === 'undefined') return
  const audio = new AudioContext()
  NOTES_HZ.forEach((frequency, index) => {
    const at = audio.currentTime + index * STEP_S
    const tone = audio.createOscillator()
    const loudness = audio.createGain()
    tone.frequency.value = frequency
    loudness.gain.setValueAtTime(LOUDNESS, at)
    loudness.gain.exponentialRampToValueAtTime(0.0001, at + RING_S)
    tone.connect(loudness).connect(audio.destination)
    tone.start(at)
    tone.stop(at + RING_S)
  })
  setTimeout(() => void audio.close(), (NOTES_HZ.length * STEP_S + RING_S) * 1000)
}
