// Pop-ups live in the top layer, where no panel cuts them off. This keeps them on the screen.

/** How many pixels a pop-up keeps between itself and its button. The mouse has to cross them without losing it. */
const GAP_PX = 6
/** How many pixels a pop-up keeps between itself and the edge of the screen. */
const EDGE_PX = 12

/** Shows a pop-up below its button, or above it where there is no room below, shifted so that all of it is seen. */
export function showPopup(popup: HTMLElement, button: HTMLElement): void {
  if (!popup.matches(':popover-open')) popup.showPopover()
  const at = button.getBoundingClientRect()
  const { width, height } = popup.getBoundingClientRect()
  const below = at.bottom + GAP_PX
  const fitsBelow = below + height <= innerHeight - EDGE_PX
  const top = fitsBelow ? below : at.top - GAP_PX - height
  popup.style.left = `${Math.max(EDGE_PX, Math.min(at.left, innerWidth - width - EDGE_PX))}px`
  popup.style.top = `${Math.max(EDGE_PX, Math.min(top, innerHeight - height - EDGE_PX))}px`
}

export function hidePopup(popup: HTMLElement): void {
  if (popup.matches(':popover-open')) popup.hidePopover()
}
