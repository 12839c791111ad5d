/** What floats over the page and takes the focus while it is there. */
const overlaySelector = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/**
 * Whoever closes a window goes on where it was opened. Windows that close by leaving the page at once have nobody who gives the
 * focus back: this does, when it fell to nobody and what had it before is still there.
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
    // Whoever gives it back by itself does so first.
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
