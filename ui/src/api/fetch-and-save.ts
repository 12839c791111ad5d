import { t } from '../i18n.ts';
import { session } from '../session.ts';
import { toast } from '../toast.ts';

const nameIn = (headers: Headers): string => {
  const said = /filename\*=UTF-8''([^;]+)/.exec(headers.get('content-disposition') ?? '')?.[1];
  return said ? decodeURIComponent(said) : 'download';
};

/** Fetches a file with the headers of this session, and saves it by its name. */
export async function fetchAndSave(url: string): Promise<void> {
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
