import { escapeHtml } from '../../../platform/html.ts';

/** An email of plain paragraphs, as text and HTML. */
export const paragraphs = (parts: readonly string[]): { text: string; html: string } => ({
  text: parts.join('\n\n'),
  html: parts.map((part) => `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`).join(''),
});
