import { session } from '../session.ts';

/** Files that are fetched with a session: exports, archives and invoices. */
const guardedFile =
  /^\/api\/(companies\/\d+\/exports\/\d+\/file|company\/\d+\/invoices\/\d+\/pdf)$/;

/** Whether this tab's session is more than a cookie, so that following a link isn't enough. */
const needsHeaders = (): boolean => {
  const { isAdmin, isOwnAccount, remote } = session.get();
  return isAdmin || isOwnAccount || remote !== null;
};

const fetchAndSave = async (url: string): Promise<void> =>
  (await import('./fetch-and-save.ts')).fetchAndSave(url);

/** Downloads a file by its address. */
export function download(url: string): void {
  if (needsHeaders() && guardedFile.test(url)) void fetchAndSave(url);
  else window.location.assign(url);
}

/** Sends what a link to a guarded file can't say by itself, on every screen. Returns its removal. */
export function interceptDownloads(): () => void {
  const onClick = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement) || link.origin !== window.location.origin) return;
    if (event.defaultPrevented || !needsHeaders() || !guardedFile.test(link.pathname)) return;
    event.preventDefault();
    void fetchAndSave(link.pathname);
  };
  document.addEventListener('click', onClick);
  return () => document.removeEventListener('click', onClick);
}
