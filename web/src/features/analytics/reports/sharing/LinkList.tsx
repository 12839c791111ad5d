import { Button } from '@mantine/core';
import { reportLinks, type Answer } from '#contract';
import { confirm, t, Time, useApiMutation } from '#ui';
import css from '../reports.module.css';

type ReportLink = Answer<typeof reportLinks.listReportLinks>['data'][number];

/** Links to reports: who made each, until when it works, when it was last opened. */
export const LinkList = ({
  links,
  isNamed = false,
}: {
  links: readonly ReportLink[];
  /** Says which report each one opens. */
  isNamed?: boolean;
}) => (
  <ul className={css.favorites}>
    {links.map((link) => (
      <Row key={link.id} link={link} isNamed={isNamed} />
    ))}
  </ul>
);

function Row({ link, isNamed }: { link: ReportLink; isNamed: boolean }) {
  const { id, favorite, user, mine, created_at, expires_at, last_opened_at, closed } = link;
  const { mutate, isPending } = useApiMutation(reportLinks.withdrawReportLink, {
    invalidates: [reportLinks.listReportLinks],
    success: t('Link withdrawn'),
  });
  const withdraw = async (): Promise<void> => {
    const yes = await confirm({
      title: t('Withdraw this link?'),
      body: t('People who have it can no longer open the report. This can’t be undone.'),
      confirmLabel: t('Withdraw'),
      danger: true,
    });
    if (yes) await mutate({ params: { id } });
  };
  const isExpired = closed === 'expired' || new Date(expires_at).getTime() <= Date.now();
  return (
    <li>
      <span>
        {isNamed ? favorite.name : mine ? t('Your link') : user.name}
        <small className={css.facts}>
          {isNamed && !mine && <span>{t('Shared by {name}', { name: user.name })}</span>}
          <span>
            {t('Created')} <Time at={created_at} as="day" />
          </span>
          <span>
            {isExpired ? t('Expired') : t('Works until')}{' '}
            <Time at={lastMoment(expires_at)} as="day" />
          </span>
          {closed && closed !== 'expired' && <strong>{closedText(closed, mine)}</strong>}
          <span>
            {last_opened_at === null ? (
              t('Never opened')
            ) : (
              <>
                {t('Last opened')} <Time at={last_opened_at} as="moment" />
              </>
            )}
          </span>
        </small>
      </span>
      <Button
        variant="default"
        size="xs"
        loading={isPending}
        aria-label={t('Withdraw the link to {name}', { name: favorite.name })}
        onClick={() => void withdraw()}
      >
        {t('Withdraw')}
      </Button>
    </li>
  );
}

/** Why a link doesn’t open. */
const closedText = (
  closed: Exclude<ReportLink['closed'], 'expired' | null>,
  mine: boolean,
): string =>
  ({
    maker: mine
      ? t('Doesn’t open: you can no longer see reports or export')
      : t('Doesn’t open: its maker no longer has access'),
    too_long: t('Doesn’t open: the report covers more than two years'),
    too_many: t('Doesn’t open: the report has too many calls or companies'),
    not_a_report: t('Doesn’t open: the favorite is no longer a call report'),
  })[closed];

/** A link ends at midnight, and works on the day before. */
const lastMoment = (expiresAt: string): number => new Date(expiresAt).getTime() - 1;
