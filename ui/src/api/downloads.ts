import { t } from '../i18n.ts';
import { session } from '../session.ts';
import { toast } from '../toast.ts';

/** Files that are fetched with a session: exports, archives and invoices. */
const guardedFile =
  /^\/api\/(companies\/\d+\/exports\/\d+\/file|company\/\d+\/invoices\/\d+\/pdf)$/;

/** Whether this tab's session is more than a cookie, so that following a link isn't enough. */
const needsHeaders = (): boolean => {
  const { isAdmin, isOwnAccount, remote } = session.get();
  return isAdmin || isOwnAccount || remote !== null;
};

const nameIn = (headers: Headers): string => {
  const said = /filename\*=UTF-8''([^;]+)/.exec(headers.get('content-disposition') ?? '')?.[1];
  return said ? decodeURIComponent(said) : 'download';
};

async function fetchAndSave(url: string): Promise<void> {
  const { tokens, isAdmin } = session.get();
  const response = await fetch(url, {
    headers: {
      ...(tokens && { authorization: `Bearer ${tokens.access_token}` }),
      ...(isAdmin && { isAdmin: 'true' }),
    },
    credentials: tokens ? 'omit' : 'include',
  }).catch(() => null);
  if (!response?.ok) {
    toast.danger(t('Couldn’t download the file.'), {
      detail: t('If you still have access to it, create it again.'),
    });
    return;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = nameIn(response.headers);
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

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
