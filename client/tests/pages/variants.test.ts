import { describe, expect, it } from 'vitest'
import { powerUps } from '../../src/game/board/power-ups'
import { PATTERN_NAMES } from '../../src/map/pattern-names'

describe('power-ups', () => {
  const program = {
    params: [
      { name: 'n', type: 'nat' },
      { name: 'm', type: 'nat' },
    ],
    assigned_params: ['m'],
  } as const
  it('are the forms that the player has not used yet', () => {
    expect(powerUps([], program, '').fresh).toEqual(['□ = □ · □', '□ + □ = □', '□ ≤ □'])
    expect(powerUps(['product', 'limit'], program, '').fresh).toEqual(['□ + □ = □', '□ = □ + □ · □'])
  })
  it('are as many as one line has room for', () => {
    const used = PATTERN_NAMES.slice(0, -2)
    expect(powerUps(used, program, '').fresh).toEqual(['forall k in 0..□: □'])
  })
  it('are seen in what is typed', () => {
    expect(powerUps([], program, 'x <= y').typed).toEqual(['□ ≤ □'])
    expect(powerUps(['limit'], program, 'x <= y').typed).toEqual([])
    expect(powerUps([], program, 'x <=').typed).toEqual([])
  })
  it('know which names never change', () => {
    expect(powerUps([], program, 'n = x * y + z').typed).toEqual(['□ = □ · □ + □'])
    expect(powerUps([], program, 'm = x * y + z').typed).toEqual(['□ = □ + □ · □'])
  })
})
