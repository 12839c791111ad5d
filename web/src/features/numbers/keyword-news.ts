import { triggers, type EventData } from '#contract';
import { flash, formatPhoneNumber, go, listen, t } from '#ui';

/** Somebody texted a keyword that this person wants to be told of. */
export const startKeywordNews = (): (() => void) =>
  listen(triggers.keywordNews.name, (data) => {
    const { keyword, party, number, conversationId } = data as EventData<
      typeof triggers.keywordNews
    >;
    flash.neutral(
      t('{who} texted {keyword} to {number}', {
        who: formatPhoneNumber(party),
        keyword,
        number: formatPhoneNumber(number),
      }),
      conversationId === null
        ? {}
        : { action: { label: t('Open'), run: () => go(`/inbox/${conversationId}`) } },
    );
  });
