import { team, type EventData } from '#contract';
import { toast, navigate, onLiveEvent, session, t } from '#ui';

/**
 * Shows a toast with a link when a teammate mentions the user, or assigns a conversation to them or to a
 * team of theirs.
 */
export const startTeamToasts = (): (() => void) =>
  onLiveEvent(team.teamNotification.name, (data) => {
    const { kind, byName, about, text, conversationId, companyId } = data as EventData<
      typeof team.teamNotification
    >;
    if (companyId !== session.get().selectedCompanyId) return;
    const message =
      kind === 'mention'
        ? about
          ? t('{who} mentioned you in the conversation with {name}', { who: byName, name: about })
          : t('{who} mentioned you in a note', { who: byName })
        : text
          ? t('{who} assigned {team} the conversation with {name}', {
              who: byName,
              team: text,
              name: about,
            })
          : t('{who} assigned you the conversation with {name}', { who: byName, name: about });
    toast.neutral(
      message,
      conversationId === null
        ? {}
        : { action: { label: t('Open'), run: () => navigate(`/inbox/${conversationId}`) } },
    );
  });
