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
  return values || i18n.locale !== 'en' ? i18n._(sentence, values) : sentence;
}

/** Switch the language. Call before the first paint or reload afterwards: sentences are read while drawing. */
export function speak(locale: string, messages: Record<string, string>): void {
  i18n.load(locale, messages);
  i18n.activate(locale);
  if (typeof document !== 'undefined') document.documentElement.lang = locale;
}
