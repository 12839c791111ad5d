/**
 * Links within an app navigate without a page load: clicks on them call `push` with the path. The
 * browser handles other sites, downloads, new tabs, and paths that `isOurs` refuses.
 */
export function interceptLinks(
  isOurs: (pathname: string) => boolean,
  push: (to: string) => void,
): void {
  document.addEventListener('click', (e) => {
    if (e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey)
      return;
    const link = e.target instanceof Element ? e.target.closest('a[href]') : null;
    if (
      !(link instanceof HTMLAnchorElement) ||
      link.origin !== window.location.origin ||
      (link.target && link.target !== '_self') ||
      link.hasAttribute('download') ||
      !isOurs(link.pathname)
    )
      return;
    e.preventDefault();
    if (link.href !== window.location.href) push(link.pathname + link.search + link.hash);
  });
}
