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

/** A number: a tab each for its call routing, settings, users and the rest. */
export default function NumberDetail() {
  const id = useIdParam();
  const { response, error, refetch } = useApiQuery(
    routing.getNumber,
    { params: { id: id ?? 0 } },
    { enabled: id !== null, silent: true },
  );
  const { filters, set } = useFilters({ tab: 'calls' });
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
  const tabs = [
    ['calls', t('Calls')],
    ['settings', t('Settings')],
    ['voicemail', t('Voicemail')],
    ...(number.category === 3
      ? []
      : ([
          ['keywords', t('Keywords')],
          ['automatic', t('Auto-replies')],
        ] as const)),
    ['people', t('People')],
    ...(number.category === 3 ? [] : ([['carrier', t('Carrier')]] as const)),
    ['notify', t('Notifications')],
    ['about', t('About')],
  ] as const;
  const shown = tabs.some(([key]) => key === filters.tab) ? filters.tab : 'calls';
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
      <Tabs value={shown} onChange={(tab) => set({ tab: tab ?? 'calls' })} keepMounted={false}>
        <Tabs.List mb="md" className={css.tabs ?? ''}>
          {tabs.map(([key, label]) => (
            <Tabs.Tab key={key} value={key}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="calls">
          <RouteEditor numberId={number.id} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" className={css.read ?? ''}>
          <SettingsForm key={number.id} number={number} />
          <NumberFields number={number} />
        </Tabs.Panel>
        <Tabs.Panel value="voicemail" className={css.read ?? ''}>
          <VoicemailForm key={number.id} number={number} />
        </Tabs.Panel>
        <Tabs.Panel value="keywords" className={css.read ?? ''}>
          <TriggersEditor key={number.id} number={number} />
        </Tabs.Panel>
        <Tabs.Panel value="automatic" className={css.read ?? ''}>
          <AutomaticTexts key={number.id} numberId={number.id} />
        </Tabs.Panel>
        <Tabs.Panel value="people" className={css.read ?? ''}>
          <PeopleForm key={number.id} number={number} />
        </Tabs.Panel>
        <Tabs.Panel value="carrier" className={css.read ?? ''}>
          <FailoverForm key={number.id} numberId={number.id} />
        </Tabs.Panel>
        <Tabs.Panel value="notify" className={css.read ?? ''}>
          <MuteNumber key={number.id} numberId={number.id} />
        </Tabs.Panel>
        <Tabs.Panel value="about" className={css.read ?? ''}>
          <NumberSummary number={number} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
