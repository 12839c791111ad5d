import { triggers, type EventData } from '#contract';
import { toast, formatPhoneNumber, navigate, onLiveEvent, t } from '#ui';

/**
 * Shows a toast when a keyword match notifies this user. Returns the function that unsubscribes.
 */
export const startKeywordToasts = (): (() => void) =>
  onLiveEvent(triggers.keywordNotification.name, (data) => {
    const { keyword, party, number, conversationId } = data as EventData<
      typeof triggers.keywordNotification
    >;
    toast.neutral(
      t('{who} texted {keyword} to {number}', {
        who: formatPhoneNumber(party),
        keyword,
        number: formatPhoneNumber(number),
      }),
      conversationId === null
        ? {}
        : { action: { label: t('Open'), run: () => navigate(`/inbox/${conversationId}`) } },
    );
  });
