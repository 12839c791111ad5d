import { useEffect } from 'react';
import { Skeleton, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { reportLinks, type Answer } from '#contract';
import { isTimeGroup } from '#contract/analytics/call-analytics/rules';
import {
  ErrorState,
  formatDateTime,
  formatDay,
  formatNumber,
  t,
  useApiQuery,
  useTitle,
  zoneName,
} from '#ui';
import { brandStyles } from '#ui/theme/brand-colors.ts';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';
import { BrandPicture } from '../../../shared/BrandPicture.tsx';
import { PrintButton } from '../../../shared/printing/PrintButton.tsx';
import { ReportFigures } from '../reports/ReportFigures.tsx';
import { ReportTable } from '../reports/ReportTable.tsx';
import { TimeBars } from '../reports/TimeBars.tsx';
import css from './SharedReport.module.css';

type Shared = Answer<typeof reportLinks.openReportLink>['data'];

/** A report that someone shared by link: for people without an account, and nothing else. */
export default function SharedReport() {
  const token = useLocation({ select: (place) => place.hash.replace('#', '') });
  const { response, error, refetch } = useApiQuery(
    reportLinks.openReportLink,
    { body: { token } },
    { silent: true, skipsSessionCheck: true, staleTime: 60_000, enabled: token !== '' },
  );
  if (!token || (error && error.status !== 429 && error.status < 500))
    return (
      <AuthFrame
        title={t('This link no longer works')}
        about={t('Ask the person who sent it for a new one.')}
      />
    );
  if (error)
    return (
      <AuthFrame title={t('Report')}>
        <ErrorState error={error} retry={refetch} />
      </AuthFrame>
    );
  if (!response)
    return (
      <main className={css.frame}>
        <div className={css.page} role="status" aria-label={t('Loading')}>
          <Skeleton h={420} />
        </div>
      </main>
    );
  return <Report report={response.data} />;
}

/** Shows the page in the company’s colors while it is open, over those of the host. */
function useColors({
  primary_color: primary,
  secondary_color: secondary,
}: Shared['company']): void {
  useEffect(() => {
    if (!primary && !secondary) return undefined;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(brandStyles({ primary, secondary }).replaceAll(':root[', ':root:root['));
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    };
  }, [primary, secondary]);
}

function Report({ report }: { report: Shared }) {
  const { name, company, group, target, rows, totals, before, more } = report;
  useTitle(name);
  useColors(company);
  return (
    <main className={css.frame}>
      <div className={css.page}>
        <p className={css.mark}>
          {company.logo ? (
            <BrandPicture light={company.logo} dark={company.logo_dark} name={company.name} />
          ) : (
            company.name
          )}
        </p>
        <Title order={1}>{name}</Title>
        <p className={css.about}>{aboutText(report)}</p>
        <div className={css.card}>
          {totals.calls === 0 ? (
            <p>{t('There were no calls in this period.')}</p>
          ) : (
            <>
              <ReportFigures totals={totals} before={before} />
              {isTimeGroup(group) && <TimeBars group={group} target={target} rows={rows} />}
              <ReportTable
                group={group}
                target={target}
                rows={rows}
                totals={totals}
                opens={() => null}
              />
              {more > 0 && (
                <p>{t('{n} more rows are in the full report.', { n: formatNumber(more) })}</p>
              )}
            </>
          )}
        </div>
        <p className={css.foot}>{footText(report)}</p>
        <PrintButton />
      </div>
    </main>
  );
}

const day = (text: string): string => formatDay(`${text}T12:00:00Z`, 'UTC');
const daysText = ({ start, end }: Shared['range']): string =>
  start === end ? day(start) : t('{start} to {end}', { start: day(start), end: day(end) });
const aboutText = ({ range, tz, filters }: Shared): string =>
  [daysText(range), zoneName(tz), ...filters].join(' · ');
const footText = ({ compared, tz, as_of, expires_at, company }: Shared): string =>
  [
    t('Compared with {days}.', { days: daysText(compared) }),
    t('Shared by {company}, counted {time}.', {
      company: company.name,
      time: formatDateTime(as_of, tz),
    }),
    t('This link works until {day}.', {
      day: formatDay(new Date(expires_at).getTime() - 1, tz),
    }),
  ].join(' ');
