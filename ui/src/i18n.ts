import { i18n, type Messages } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';

/**
 * The one catalogue. The English sentence is the key, so English needs no file. `npm run messages`
 * collects every key in `web/locales/messages.pot`; a translation is a PO file beside it, loaded
 * with `setLocale('de', (await import('../locales/de.po')).default)`.
 */
i18n.setMessagesCompiler(compileMessage);
i18n.load('en', {});
i18n.activate('en');

/**
 * Translates a sentence. Values replace `{name}`; ICU plurals: `{n, plural, one {# call} other {#
 * calls}}`.
 */
export function t(sentence: string, values?: Record<string, string | number>): string {
  // Without values nothing is replaced, so braces stay.
  if (!values) return i18n.locale === 'en' ? sentence : i18n._(sentence);
  // Simple placeholders need no message compiler, which bundles leave out
  // (ui/src/vite/compiled-messages.ts).
  if (i18n.locale === 'en' && !/\{\w+,/.test(sentence))
    return sentence.replace(/\{(\w+)\}/g, (whole, name: string) =>
      name in values ? String(values[name]) : whole,
    );
  return i18n._(sentence, values);
}

/**
 * Sets the language. Call before the first render, or reload: sentences are translated while
 * rendering.
 */
export function setLocale(locale: string, messages: Messages): void {
  i18n.load(locale, messages);
  i18n.activate(locale);
  if (typeof document !== 'undefined') document.documentElement.lang = locale;
}
