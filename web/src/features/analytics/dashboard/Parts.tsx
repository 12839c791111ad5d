import { Skeleton } from '@mantine/core';
import type { CallGroup } from '#contract/analytics/call-analytics/rules';
import { ErrorState, lazyComponent, Section, t } from '#ui';
import { callsAddress } from '../reports/calls-address.ts';
import { BarList } from './BarList.tsx';
import { dashboardAddress } from './choices.ts';
import css from './dashboard.module.css';
import { HeatMap } from './HeatMap.tsx';
import { listParts, type ListPart } from './part-list.ts';
import { useBoard, useStates, type Question } from './use-dashboard.ts';

const Companies = lazyComponent(async () => (await import('./Companies.tsx')).Companies);
const StateMap = lazyComponent(async () => (await import('./StateMap.tsx')).default);

type Asked = ReturnType<typeof useBoard>;

/** When calls came, from where, to whom, and what came of them; each opens to its report. */
export function Parts({ question, companies }: { question: Question; companies: Asked }) {
  const heatmap = useBoard('heatmap', question);
  return (
    <div className={css.grid}>
      {question.organization && <ByCompany asked={companies} question={question} />}
      <div className={css.wide}>
        <Section
          title={t('Busiest hours')}
          action={<ReportLink group="hour" question={question} />}
        >
          <Loaded asked={heatmap}>{({ data }) => <HeatMap rows={data} />}</Loaded>
        </Section>
      </div>
      {listParts().map((part) => (
        <Bars key={part.group} part={part} question={question} />
      ))}
      <div className={css.wide}>
        <States question={question} />
      </div>
    </div>
  );
}

const ByCompany = ({ asked, question }: { asked: Asked; question: Question }) => (
  <div className={css.wide}>
    <Section title={t('By company')} about={t('Open a company for its dashboard and calls.')}>
      <Loaded asked={asked}>
        {(board) => <Companies board={board} choices={question.choices} />}
      </Loaded>
    </Section>
  </div>
);

function Bars({
  part: { title, group, type, groupBy },
  question,
}: {
  part: ListPart;
  question: Question;
}) {
  const asked = useBoard(type, question, groupBy);
  return (
    <div>
      <Section title={title} action={<ReportLink group={group} question={question} />}>
        <Loaded asked={asked}>
          {({ data, previous }) => (
            <BarList
              group={group}
              rows={data}
              previous={previous?.data ?? null}
              callsOf={(key) => rowAddress(group, key, question)}
            />
          )}
        </Loaded>
      </Section>
    </div>
  );
}

function States({ question }: { question: Question }) {
  const states = useStates(question);
  return (
    <Section
      title={t('Where callers are')}
      about={t('By the area code of their number.')}
      action={<ReportLink group="geo_state" question={question} />}
    >
      <Loaded asked={states}>
        {({ data }) => (
          <div className={css.states}>
            <StateMap calls={new Map(data.map(({ key, figures }) => [key, figures.calls]))} />
            <BarList
              group="geo_state"
              rows={data.map(({ key, label, figures }) => ({ key, label, values: { ...figures } }))}
              previous={null}
              callsOf={() => null}
            />
          </div>
        )}
      </Loaded>
    </Section>
  );
}

/** What was asked, once it is there. */
function Loaded<T>({
  asked: { response, error, refetch },
  children,
}: {
  asked: Pick<Asked, 'error' | 'refetch'> & { response: T | undefined };
  children: (response: T) => React.ReactNode;
}) {
  if (response) return children(response);
  return error ? <ErrorState error={error} retry={refetch} /> : <Skeleton h={160} />;
}

/** Where a row leads: to its calls, or of an organization to its dashboard of that source. */
function rowAddress(group: CallGroup, key: string, question: Question): string | null {
  if (!question.organization)
    return callsAddress(group, key, { ...question.choices, period: question.period });
  if (group !== 'source' || key === '(none)') return null;
  return dashboardAddress({ ...question.choices, source: key });
}

/** The whole report of a part, with the same companies, days and limits. */
function ReportLink({ group, question }: { group: CallGroup; question: Question }) {
  const { period, range, filters, organization } = question;
  const search = new URLSearchParams({
    ...(organization && { organization: String(organization.id) }),
    ...(filters.company_ids && { company: String(filters.company_ids[0]) }),
    group,
    period,
    ...(period === 'custom' && { from: range.start, to: range.end }),
    ...(filters.number_ids && { number: String(filters.number_ids[0]) }),
    ...(filters.sources && { source: filters.sources[0] }),
    ...(filters.phrase_list_ids && { phrases: String(filters.phrase_list_ids[0]) }),
    ...(filters.sentiments && { mood: filters.sentiments[0] }),
    ...(filters.outcomes && { tag: filters.outcomes[0] }),
  });
  return (
    <a className={css.link} href={`/analytics/calls?${search.toString()}`}>
      {t('View report')}
    </a>
  );
}
