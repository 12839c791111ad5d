import { Button, Skeleton, Stack, Tabs } from '@mantine/core';
import { routing } from '#contract';
import {
  ErrorState,
  formatPhoneNumber,
  lazyComponent,
  Page,
  StatusBadge,
  t,
  useApiQuery,
  useFilters,
  usePermission,
} from '#ui';
import { useIdParam } from '../../../shared/params.ts';
import { ReleasingBanner } from '../details/ReleasingBanner.tsx';
import { NumberFields } from '../details/NumberFields.tsx';
import type { EditableNumber } from '../details/number-form.ts';
import { AutomaticTexts } from '../../conversations/index.ts';
import { MuteNumber } from '../../notifications/index.ts';
import { statusName, statusTone } from '../labels.ts';
import { RouteEditor } from '../../routing/index.ts';
import css from './NumberDetail.module.css';

// Tabs other than the first are loaded lazily.
const NumberSummary = lazyComponent(
  async () => (await import('../details/NumberSummary.tsx')).NumberSummary,
);
const FailoverForm = lazyComponent(
  async () => (await import('../details/FailoverForm.tsx')).FailoverForm,
);
const PeopleForm = lazyComponent(
  async () => (await import('../details/PeopleForm.tsx')).PeopleForm,
);
const SettingsForm = lazyComponent(
  async () => (await import('../details/SettingsForm.tsx')).SettingsForm,
);
const VoicemailForm = lazyComponent(
  async () => (await import('../details/VoicemailForm.tsx')).VoicemailForm,
);
const TriggersEditor = lazyComponent(
  async () => (await import('../details/TriggersEditor.tsx')).TriggersEditor,
);

const goBack = () => ({ href: '/numbers', label: t('Numbers') });

type NumberTab =
  | 'calls'
  | 'settings'
  | 'voicemail'
  | 'keywords'
  | 'automatic'
  | 'people'
  | 'carrier'
  | 'notify'
  | 'about';

/** The tabs of a number; a fax number has no texts and no second carrier. */
function tabsOf({ category }: Pick<EditableNumber, 'category'>): [NumberTab, string][] {
  const isFax = category === 3;
  const textTabs: [NumberTab, string][] = [
    ['keywords', t('Keywords')],
    ['automatic', t('Auto-replies')],
  ];
  return [
    ['calls', t('Calls')],
    ['settings', t('Settings')],
    ['voicemail', t('Voicemail')],
    ...(isFax ? [] : textTabs),
    ['people', t('People')],
    ...(isFax ? [] : [['carrier', t('Carrier')] satisfies [NumberTab, string]]),
    ['notify', t('Notifications')],
    ['about', t('About')],
  ];
}

/** A number: a tab each for its call routing, settings, users and the rest. */
export default function NumberDetail() {
  const id = useIdParam();
  const { response, error, refetch } = useApiQuery(
    routing.getNumber,
    { params: { id: id ?? 0 } },
    { enabled: id !== null, silent: true },
  );
  const maySeeFlow = usePermission('routing.view');
  const number = response?.data;
  if (!number) {
    return (
      <Page title={t('Number')} back={goBack()}>
        {error || id === null ? (
          <ErrorState {...(error && { error })} retry={refetch} notFound={t('Number not found')} />
        ) : (
          <Stack>
            {[0, 1, 2].map((i) => (
              <Skeleton key={i} height={72} />
            ))}
          </Stack>
        )}
      </Page>
    );
  }
  return (
    <Page
      title={formatPhoneNumber(number.number)}
      back={goBack()}
      description={number.label || undefined}
      action={
        maySeeFlow && (
          <Button component="a" variant="default" href={`/numbers/${number.id}/flow`}>
            {t('Open call flow')}
          </Button>
        )
      }
      aside={
        <StatusBadge tone={statusTone(number.status)}>{statusName(number.status)}</StatusBadge>
      }
    >
      <ReleasingBanner number={number} />
      <NumberTabs number={number} />
    </Page>
  );
}

function NumberTabs({ number }: { number: EditableNumber }) {
  const { filters, set } = useFilters({ tab: 'calls' });
  const tabs = tabsOf(number);
  const shown = tabs.find(([key]) => key === filters.tab)?.[0] ?? 'calls';
  return (
    <Tabs value={shown} onChange={(tab) => set({ tab: tab ?? 'calls' })} keepMounted={false}>
      <Tabs.List mb="md" className={css.tabs ?? ''}>
        {tabs.map(([key, label]) => (
          <Tabs.Tab key={key} value={key}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(([key]) => (
        <Tabs.Panel key={key} value={key} {...(key !== 'calls' && { className: css.read ?? '' })}>
          <TabContent tab={key} number={number} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** The key makes a form start again with the values of another number. */
function TabContent({ tab, number }: { tab: NumberTab; number: EditableNumber }) {
  switch (tab) {
    case 'calls':
      return <RouteEditor numberId={number.id} />;
    case 'settings':
      return (
        <>
          <SettingsForm key={number.id} number={number} />
          <NumberFields number={number} />
        </>
      );
    case 'voicemail':
      return <VoicemailForm key={number.id} number={number} />;
    case 'keywords':
      return <TriggersEditor key={number.id} number={number} />;
    case 'automatic':
      return <AutomaticTexts key={number.id} numberId={number.id} />;
    case 'people':
      return <PeopleForm key={number.id} number={number} />;
    case 'carrier':
      return <FailoverForm key={number.id} numberId={number.id} />;
    case 'notify':
      return <MuteNumber key={number.id} numberId={number.id} />;
    case 'about':
      return <NumberSummary number={number} />;
  }
}
