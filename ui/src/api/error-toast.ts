import { sentences } from '#contract/sentences';
import type { ToastContent } from '../toast.ts';
import { hasOwnMessage, type ApiError } from './error.ts';

/** The toast of an error: the server's message, or the sentence for unexpected errors. */
export function errorToast(error: ApiError, supportEmail: string): ToastContent {
  if (error.status === 401) return { type: 'danger', title: sentences.unauthorized };
  if (!hasOwnMessage(error) || error.details.length === 0)
    return { type: 'danger', title: sentences.unknownWithEmail.replace('{email}', supportEmail) };
  const [first, ...more] = error.details;
  if (more.length === 0 && first)
    return first.title
      ? { type: 'danger', title: first.title, detail: first.detail }
      : { type: 'danger', title: first.detail };
  return {
    type: 'danger',
    title: '',
    lines: error.details.map((p) => (p.title ? `${p.title}: ${p.detail}` : p.detail)),
  };
}
