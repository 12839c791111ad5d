import { escapeHtml } from '../../platform/html.ts';

/**
 * The end of a notification's email: why it was sent, where that is changed, and the link that
 * stops it. `token` is the reader's `unsubscribeToken`.
 */
export function mailFoot(about: { publicUrl: string; company: string; token: string }): {
  text: string;
  html: string;
  unsubscribe: string;
} {
  const settings = new URL('/settings/notifications', about.publicUrl).href;
  const unsubscribe = new URL(`/unsubscribe/${about.token}`, about.publicUrl).href;
  const why = `You received this because of your notification settings at ${about.company}.`;
  const gray = 'style="color:#5b6270"';
  return {
    text: `${why}\nChange settings: ${settings}\nUnsubscribe: ${unsubscribe}\n`,
    html: `<p style="margin:0;font-size:12px;color:#5b6270">${escapeHtml(why)} <a href="${settings}" ${gray}>Change settings</a> · <a href="${unsubscribe}" ${gray}>Unsubscribe</a></p>`,
    unsubscribe,
  };
}
