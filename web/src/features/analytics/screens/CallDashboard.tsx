import { useState } from 'react';
import { Button, Group, Skeleton } from '@mantine/core';
import { IconStar } from '@tabler/icons-react';
import { comparisons } from '#contract/analytics/dashboard/rules';
import { ErrorState, FilterBar, Page, t, useFilters, usePermission } from '#ui';
import { useOurNumbers } from '../../conversations/index.ts';
import { daysText } from '../../../shared/printing/days-text.ts';
import { PrintFacts, type PrintedFacts } from '../../../shared/printing/PrintFacts.tsx';
import { SourceFilter } from '../../tracking/index.ts';
import { comparisonName, startChoices } from '../dashboard/choices.ts';
import { FigureTiles } from '../dashboard/FigureTiles.tsx';
import { ExportMenu } from '../dashboard/saving/ExportMenu.tsx';
import { Headline } from '../dashboard/Headline.tsx';
import { Parts } from '../dashboard/Parts.tsx';
import {
  useBoard,
  useCompanies,
  useQuestion,
  type Board,
  type Question,
} from '../dashboard/use-dashboard.ts';
import { NoCalls } from '../NoCalls.tsx';
import { Choice } from '../reports/Choice.tsx';
import { Favorites } from '../reports/Favorites.tsx';
import { PeriodFilter } from '../reports/PeriodFilter.tsx';
import { SaidLimits } from '../reports/SaidLimits.tsx';
import { SaveFavorite } from '../reports/SaveFavorite.tsx';
import { useFilterWords } from '../reports/use-filter-words.ts';
import { aboutOrganization, WhoseCalls } from '../reports/WhoseCalls.tsx';
import { chosenIn } from '../reports/use-report.ts';
import { ReportsTabs } from '../ReportsTabs.tsx';

const PATH = '/analytics/dashboard';
/** One page of what changed in a period: calls by day, hour, source, outcome, person and state. */
export default function CallDashboard() {
  const filtering = useFilters(startChoices);
  const { filters, clear, isFiltered } = filtering;
  const question = useQuestion(filters);
  const isDay = question.range.start === question.range.end;
  const calls = useBoard('calls', question, isDay ? 'hour' : 'day');
  const sources = useBoard('sources', question);
  const numbers = useBoard('numbers', question);
  const companies = useCompanies(question);
  const { organization } = question;
  const [isSaving, setSaving] = useState(false);
  const mayKeep = usePermission('favourites.edit');
  const { response: board, error, loading, refetch } = calls;
  const shown = chosenIn(filters, startChoices);
  const facts = useFacts(question, companies.response?.meta.companies ?? null);
  const isEmpty = board?.totals['calls'] === 0 && (board.previous?.totals['calls'] ?? 0) === 0;
  return (
    <Page
      title={t('Dashboard')}
      description={board && <About question={question} board={board} />}
      action={
        board && <Actions {...{ question, facts }} save={mayKeep ? () => setSaving(true) : null} />
      }
      filters={
        <>
          <ReportsTabs />
          <Filters {...filtering} question={question} companies={companies.response} />
        </>
      }
    >
      <PrintFacts {...facts} />
      {error && !board && <ErrorState error={error} retry={refetch} />}
      {loading && !board && <Skeleton h={420} />}
      {board && isEmpty && <NoCalls clear={isFiltered ? clear : null} />}
      {board && !isEmpty && (
        <>
          <Headline
            calls={board}
            sources={sources.response}
            numbers={organization ? companies.response : numbers.response}
            limits={organization ? null : { ...filters, period: question.period }}
          />
          <FigureTiles board={board} />
          <Parts {...{ question, companies }} />
        </>
      )}
      <div data-no-print>
        <Favorites path={PATH} shown={shown} />
      </div>
      {isSaving && (
        <SaveFavorite favorite={null} path={PATH} shown={shown} close={() => setSaving(false)} />
      )}
    </Page>
  );
}

/** What paper, picture and file say of the figures. */
function useFacts(
  { organization, companyName, tz, choices }: Question,
  companies: Board['meta']['companies'],
): PrintedFacts {
  const { number, source, phrases, mood, tag } = choices;
  const limits = useFilterWords({
    ...{ source, mood, tag },
    ...(!organization && { number, phrases }),
  });
  const chosen = companies?.find(({ id }) => organization && String(id) === choices.company);
  return {
    of: organization?.name ?? companyName,
    tz,
    limits: [
      ...(chosen ? [t('{what}: {value}', { what: t('Company'), value: chosen.name })] : []),
      ...limits,
    ],
  };
}

/** Which days are shown, and of an organization whose and in which zone. */
function About({ question, board }: { question: Question; board: Board }) {
  const { organization, range, tz } = question;
  const days = comparedDays(range, board.previous);
  const { companies } = board.meta;
  if (!organization || !companies) return days;
  return aboutOrganization(days, organization, companies.length, tz);
}

const comparedDays = (
  now: { start: string; end: string },
  before: { start: string; end: string } | null,
): string =>
  before
    ? t('{now}, compared with {then}', { now: daysText(now), then: daysText(before) })
    : daysText(now);

/** Saving the page, and keeping its choices. */
const Actions = ({
  question,
  facts,
  save,
}: {
  question: Question;
  facts: PrintedFacts;
  save: (() => void) | null;
}) => (
  <Group gap="xs">
    <ExportMenu question={question} facts={facts} />
    {save && (
      <Button leftSection={<IconStar size={16} aria-hidden />} onClick={save}>
        {t('Add to favorites')}
      </Button>
    )}
  </Group>
);

type Filtering = ReturnType<typeof useFilters<typeof startChoices>>;

type Asked = Filtering & { question: Question; companies: Board | undefined };

function Filters(asked: Asked) {
  const { filters, set, clear, isFiltered, question, companies } = asked;
  const numbers = useOurNumbers();
  const { organization, today } = question;
  return (
    <FilterBar isFiltered={isFiltered} onClear={clear}>
      <WhoseCalls
        {...{ filters, set, organization }}
        scopes={question.scopes}
        companyName={question.companyName}
        companies={companies?.meta.companies ?? []}
      />
      <PeriodFilter filters={filters} set={set} today={today} />
      <Choice
        label={t('Compared with')}
        width={190}
        isRequired
        value={filters.against}
        onChange={(against) => set({ against })}
        options={comparisons.map((one) => [one, comparisonName(one)])}
      />
      {!organization && numbers.length > 1 && (
        <Choice
          label={t('Your number')}
          value={filters.number}
          onChange={(number) => set({ number })}
          options={numbers.map(({ id, label }) => [String(id), label])}
        />
      )}
      <SourceFilter value={filters.source} onChange={(source) => set({ source })} />
      <SaidLimits filters={filters} set={set} hasPhrases={!organization} />
    </FilterBar>
  );
}
