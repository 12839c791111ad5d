/** Overlays that take the focus while open. */
const overlaySelector = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/**
 * Restores the focus when an overlay closes. Overlays that unmount at once do not do it themselves,
 * so the focus returns to the element that had it before, if it was lost and the element still
 * exists.
 */
export function restoreFocus(): () => void {
  let before: HTMLElement | null = null;
  const remember = (event: FocusEvent): void => {
    if (event.target instanceof HTMLElement && !event.target.closest(overlaySelector))
      before = event.target;
  };
  const watch = new MutationObserver((changes) => {
    if (
      !changes.some((change) =>
        [...change.removedNodes].some(
          (node) =>
            node instanceof HTMLElement &&
            (node.matches(overlaySelector) || node.querySelector(overlaySelector)),
        ),
      )
    )
      return;
    // After overlays that restore it themselves.
    setTimeout(() => {
      if (document.activeElement === document.body && before?.isConnected)
        before.focus({ preventScroll: true });
    }, 60);
  });
  document.addEventListener('focusin', remember);
  watch.observe(document.getElementById('floating') ?? document.body, {
    childList: true,
    subtree: true,
  });
  return () => {
    document.removeEventListener('focusin', remember);
    watch.disconnect();
  };
}
