import { teamwork, type EventData } from '#contract';
import { flash, go, listen, session, t } from '#ui';

/** A colleague mentioned one, or gave one a conversation: said at once, with the way there. */
export const startTeamNews = (): (() => void) =>
  listen(teamwork.teamNews.name, (data) => {
    const { kind, byName, about, conversationId, companyId } = data as EventData<
      typeof teamwork.teamNews
    >;
    if (companyId !== session.get().selectedCompanyId) return;
    const said =
      kind === 'mention'
        ? about
          ? t('{who} mentioned you in the conversation with {name}', { who: byName, name: about })
          : t('{who} mentioned you in a note', { who: byName })
        : t('{who} gave you the conversation with {name}', { who: byName, name: about });
    flash.neutral(
      said,
      conversationId === null
        ? {}
        : { action: { label: t('Open'), run: () => go(`/inbox/${conversationId}`) } },
    );
  });
