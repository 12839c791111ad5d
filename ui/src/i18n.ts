import { i18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';

/**
 * The one catalogue. The English sentence is the key, so English needs no file; another language is a file of
 * `{ "English sentence": "translated sentence" }` given to `speak`.
 */
i18n.setMessagesCompiler(compileMessage);
i18n.load('en', {});
i18n.activate('en');

/** A sentence in the reader's language. Values fill `{name}`; ICU plurals work: `{n, plural, one {# call} other {# calls}}`. */
export function t(sentence: string, values?: Record<string, string | number>): string {
  // Without values nothing is to be filled; braces in plain sentences stay as they are.
  if (i18n.locale === 'en' && !values) return sentence;
  // Most sentences only name something: those need no message compiler, which bundles leave out (web/compiled-messages.ts).
  if (i18n.locale === 'en' && !/\{\w+,/.test(sentence))
    return sentence.replace(/\{(\w+)\}/g, (whole, name: string) =>
      name in values! ? String(values![name]) : whole,
    );
  return i18n._(sentence, values);
}

/** Switch the language. Call before the first paint or reload afterwards: sentences are read while drawing. */
export function setLocale(locale: string, messages: Record<string, string>): void {
  i18n.load(locale, messages);
  i18n.activate(locale);
  if (typeof document !== 'undefined') document.documentElement.lang = locale;
}
