import { useEffect, useState } from 'react';
import { Alert, Button, Checkbox, Group, Select, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { campaigns, companies, groups as groupsContract } from '#contract';
import {
  defaultUnsubscribeText,
  render,
  mentionsToday,
  statusOf,
  tagsIn,
  fullText,
  sendProblems,
} from '#contract/campaigns/rules';
import {
  bindFieldErrors,
  confirm,
  calendarDay,
  focusFirstError,
  formatNumber,
  formFields,
  navigate,
  lazyComponent,
  Page,
  Section,
  StatusBadge,
  t,
  useApiQuery,
  useCompanyId,
  usePermission,
  userZone,
  useApiMutation,
  useUnsavedGuard,
} from '#ui';
import { formatWhen, useOurNumbers } from '../conversations/index.ts';
import { FilesField, type StoredFile } from './FilesField.tsx';
import { MessageField } from './MessageField.tsx';
import { PhonePreview } from './PhonePreview.tsx';
import { CostEstimate } from './CostEstimate.tsx';
import { useFileAddresses } from './use-file-addresses.ts';
import type { Campaign } from './use-campaign-actions.ts';
import { WhenField } from './WhenField.tsx';
import { pauseReasonLabel, statusName, statusTone } from './labels.ts';
import css from './CampaignForm.module.css';

const TestDialog = lazyComponent(async () => (await import('./TestDialog.tsx')).TestDialog);

interface Values {
  title: string;
  text: string;
  unsubscribe_text: string;
  groups: string | null;
  number_id: string | null;
  should_be_sent_at: string | null;
  skip_inbox: boolean;
  resume_next_day: boolean;
  files: File[];
  kept: StoredFile[];
}
const valuesOf = (c: Campaign | null): Values => ({
  title: c?.title ?? '',
  text: c?.text ?? '',
  unsubscribe_text: c?.unsubscribe_text ?? defaultUnsubscribeText,
  groups: c?.groups[0] ? String(c.groups[0].id) : null,
  number_id: c?.number_id ? String(c.number_id) : null,
  should_be_sent_at: c?.should_be_sent_at ?? null,
  skip_inbox: c?.skip_inbox ?? true,
  resume_next_day: c?.resume_next_day ?? true,
  files: [],
  kept: c?.media_files ?? [],
});

export function CampaignForm({ campaign }: { campaign: Campaign | null }) {
  const zone = userZone();
  const company = useCompanyId();
  const maySend = usePermission('campaigns.send');
  const numbers = useOurNumbers().filter((n) => n.canText);
  const { response: lists } = useApiQuery(
    groupsContract.listGroups,
    { query: { perPage: 250 } },
    { staleTime: 30_000 },
  );
  const { response: account } = useApiQuery(
    companies.getCompany,
    { params: { id: company ?? 0 } },
    { enabled: company !== null, staleTime: 60_000, silent: true },
  );
  const linksEnabled = account?.data.links_enabled ?? true;
  const mayApprove = usePermission('campaigns.approve');
  const form = useForm<Values>({ initialValues: valuesOf(campaign) });
  const v = form.values;
  // A new one begins with the company's own words, unless somebody wrote others before they were known.
  const usual = account?.data.settings.default_unsubscribe_text;
  useEffect(() => {
    if (campaign !== null || usual === undefined || form.isDirty('unsubscribe_text')) return;
    form.setInitialValues({ ...form.getInitialValues(), unsubscribe_text: usual });
    form.setFieldValue('unsubscribe_text', usual);
  }, [usual]);
  // Left only after the saved state has been drawn, or leaving would ask about what is saved already.
  const [next, setNext] = useState<string | null>(null);
  useUnsavedGuard(next === null && form.isDirty());
  useEffect(() => {
    if (next !== null) {
      setNext(null);
      navigate(next);
    }
  }, [next]);
  const files = useFileAddresses(v.files);
  const [testing, setTesting] = useState<number | null>(null);

  // What the server makes of it, a moment after one stops typing.
  const [asked] = useDebouncedValue(
    {
      title: v.title,
      text: v.text,
      unsubscribe_text: v.unsubscribe_text,
      groups: v.groups === null ? [] : [Number(v.groups)],
      number_id: v.number_id === null ? null : Number(v.number_id),
      should_be_sent_at: v.should_be_sent_at,
      with_media: v.files.length + v.kept.length > 0,
      timezone: zone,
      quiet_hours: campaign?.quiet_hours ?? null,
    },
    400,
  );
  const { response: reckoned, fetching: refreshing } = useApiQuery(
    campaigns.previewUnsaved,
    { body: asked },
    { enabled: asked.groups.length > 0, silent: true },
  );
  const preview = asked.groups.length > 0 ? reckoned?.data : undefined;

  const options = {
    onFieldErrors: bindFieldErrors(form),
    invalidates: [campaigns.listCampaigns, campaigns.getCampaign],
  };
  const { mutate: create, isPending: creating } = useApiMutation(campaigns.createCampaign, options);
  const { mutate: change, isPending: changing } = useApiMutation(campaigns.updateCampaign, options);
  const busy = creating || changing;
  const started = campaign?.started ?? false;
  // Somebody lets it go first: because of the role, or because the company wants to look at what users send. What has begun just goes on.
  const asks =
    !started &&
    (!maySend || (!mayApprove && account?.data.settings.campaign_approval_required === true));

  const save = async (state: 'draft' | 'queued', sure = false): Promise<Campaign | null> => {
    const body = formFields({
      ...(campaign && { _method: 'PATCH' }),
      ...(company !== null && { company_id: company }),
      type: 'sms',
      title: v.title.trim(),
      text: v.text,
      unsubscribe_text: v.unsubscribe_text,
      state,
      skip_inbox: v.skip_inbox,
      resume_next_day: v.resume_next_day,
      timezone: zone,
      groups: v.groups === null ? [''] : [v.groups],
      number_id: v.number_id ?? '',
      should_be_sent_at: v.should_be_sent_at ?? '',
      dynamic_fields: tagsIn(v.text).used,
      keep_media: v.kept.length ? v.kept.map((f) => f.id) : [''],
      ...(v.files.length && { media: v.files }),
      ...(sure && { confirm: true }),
    });
    const response = campaign
      ? await change({ params: { id: campaign.id }, body })
      : await create({ body });
    if (!response) return null;
    form.setValues(valuesOf(response.data));
    form.resetDirty(valuesOf(response.data));
    return response.data;
  };
  const saveDraft = async (): Promise<void> => {
    if (!v.title.trim()) {
      form.setErrors({ title: t('Enter a title.') });
      focusFirstError(form, { title: true });
      return;
    }
    const saved = await save('draft');
    if (saved && !campaign) setNext(`/campaigns/${saved.id}/edit`);
  };
  const test = async (): Promise<void> => {
    const problems = sendProblems(
      {
        ...v,
        groups: v.groups === null ? [] : [Number(v.groups)],
        number_id: v.number_id === null ? null : Number(v.number_id),
        withMedia: v.files.length + v.kept.length > 0,
        should_be_sent_at: null,
      },
      { linksEnabled },
      new Date(),
    );
    delete problems['groups'];
    if (Object.keys(problems).length) {
      form.setErrors(
        Object.fromEntries(Object.entries(problems).map(([k, words]) => [k, t(words)])),
      );
      focusFirstError(form, problems);
      return;
    }
    const saved = form.isDirty() || !campaign ? await save('draft') : campaign;
    if (saved) setTesting(saved.id);
  };
  const send = async (): Promise<void> => {
    const problems = sendProblems(
      {
        ...v,
        groups: v.groups === null ? [] : [Number(v.groups)],
        number_id: v.number_id === null ? null : Number(v.number_id),
        withMedia: v.files.length + v.kept.length > 0,
      },
      { linksEnabled },
      new Date(),
    );
    if (Object.keys(problems).length) {
      form.setErrors(
        Object.fromEntries(Object.entries(problems).map(([k, words]) => [k, t(words)])),
      );
      focusFirstError(form, problems);
      return;
    }
    const people = started ? campaign!.pending_count : preview?.recipients;
    const held = preview?.held_until ?? null;
    const delayed =
      held !== null &&
      (v.resume_next_day ||
        calendarDay(held, zone) === calendarDay(v.should_be_sent_at ?? new Date(), zone));
    const when = delayed
      ? formatWhen(held)
      : v.should_be_sent_at
        ? formatWhen(v.should_be_sent_at)
        : asks
          ? t('once approved')
          : t('now');
    const quietFirst =
      held !== null &&
      (delayed
        ? t('No texts are sent during quiet hours, so it starts afterward.')
        : t('It pauses during quiet hours. Resume it afterward to send the rest.'));
    const textChanged =
      started && (v.text !== campaign!.text || v.unsubscribe_text !== campaign!.unsubscribe_text);
    const yes = await confirm({
      title: asks
        ? t('Submit {title} for approval?', { title: v.title })
        : v.should_be_sent_at
          ? t('Schedule {title}?', { title: v.title })
          : t('Send {title}?', { title: v.title }),
      body: (
        <>
          {asks && `${t('An administrator reviews it first.')} `}
          {people === undefined
            ? t('It will be sent {when}.', { when })
            : people === 0
              ? t('No one in this group can receive texts, so no one will get it.')
              : t(
                  '{n, plural, one {# person will receive it} other {# people will receive it}} {when}.',
                  { n: people, when },
                )}
          {quietFirst && ` ${quietFirst}`}
          {preview !== undefined &&
            preview.credits > 0 &&
            ` ${t('{n, plural, one {It costs # credit.} other {It costs # credits.}}', { n: preview.credits })}`}
          {textChanged &&
            ` ${t('People already texted got the earlier version. Everyone else gets the new one.')}`}
        </>
      ),
      confirmLabel: asks
        ? t('Submit for approval')
        : v.should_be_sent_at
          ? t('Schedule')
          : t('Send now'),
    });
    if (!yes) return;
    const sent = await save('queued', textChanged);
    if (sent)
      setNext(
        sent.started || sent.state === 'sending' || sent.state === 'queued'
          ? `/campaigns/${sent.id}/events`
          : '/campaigns',
      );
  };

  const hours = campaign?.quiet_hours ?? account?.data.settings.quiet_hours;
  const quiet = hours && {
    start: clockText(hours.start),
    end: clockText(hours.end),
    mode: hours.mode,
  };
  const number = numbers.find((n) => String(n.id) === v.number_id);
  const group = lists?.data.find((g) => String(g.id) === v.groups);
  const samples = preview?.first_three_rendered.length
    ? preview.first_three_rendered
    : [
        {
          name: tagsIn(v.text).used.length ? t('Dana (example)') : '',
          number: '',
          text: v.text.trim() ? render(fullText(v.text, v.unsubscribe_text), example) : '',
        },
      ];
  const title = campaign ? t('Edit campaign') : t('New campaign');
  return (
    <Page
      title={title}
      back={{ href: '/campaigns', label: t('Campaigns') }}
      aside={
        campaign && (
          <StatusBadge
            tone={statusTone(statusOf(campaign.state, campaign.should_be_sent_at, new Date()))}
          >
            {campaign.approval.state === 'asked'
              ? t('Waiting for approval')
              : statusName(campaign.status)}
          </StatusBadge>
        )
      }
      action={
        <Group gap="xs" wrap="wrap">
          <Button
            variant="default"
            loading={busy && !testing}
            onClick={() => void saveDraft()}
            disabled={started}
          >
            {t('Save draft')}
          </Button>
          {maySend && (
            <Button variant="default" disabled={busy} onClick={() => void test()}>
              {t('Send test')}
            </Button>
          )}
          <Button loading={busy} onClick={() => void send()}>
            {started
              ? t('Save and resume')
              : asks
                ? t('Submit for approval')
                : v.should_be_sent_at
                  ? t('Schedule')
                  : t('Send')}
          </Button>
        </Group>
      }
    >
      {started && (
        <Alert color="orange" mb="md" title={t('This campaign has started')}>
          {pauseReasonLabel(campaign!.paused_reason)}{' '}
          {t('Texts already sent don’t change. Your edits apply to people still waiting.')}
        </Alert>
      )}
      <div className={css.columns}>
        <form
          className={css.main}
          onSubmit={(e) => {
            e.preventDefault();
            void send();
          }}
          noValidate
        >
          <Section title={t('Content')}>
            <div className={css.fields}>
              <TextInput
                label={t('Title')}
                description={t('Only visible to your team')}
                maxLength={120}
                {...form.getInputProps('title')}
              />
              <MessageField
                value={v.text}
                unsubscribe={v.unsubscribe_text}
                error={form.errors['text']}
                onChange={(text) => form.setFieldValue('text', text)}
              />
              <Textarea
                label={t('Opt-out text')}
                description={t('Added as the last line')}
                autosize
                minRows={1}
                maxRows={3}
                {...form.getInputProps('unsubscribe_text')}
              />
              <FilesField
                kept={v.kept}
                files={v.files}
                from={number?.number ?? '+12125550100'}
                onKept={(kept) => form.setFieldValue('kept', kept)}
                onFiles={(chosen) => form.setFieldValue('files', chosen)}
              />
            </div>
          </Section>
          <Section title={t('Recipients')}>
            <div className={css.fields}>
              <Select
                label={t('Group')}
                placeholder={t('Choose a group')}
                searchable
                disabled={started}
                nothingFoundMessage={t('No groups found')}
                data={(lists?.data ?? [])
                  .filter((g) => g.system !== 'unsubscribed' && g.system !== 'invalid')
                  .map((g) => ({ value: String(g.id), label: g.name }))}
                {...form.getInputProps('groups')}
                description={
                  group
                    ? t('{active} of {all} can receive texts', {
                        active: formatNumber(group.activeCount),
                        all: formatNumber(group.contactCount),
                      })
                    : t('Sent to members at start time. Later members aren’t included.')
                }
              />
              <Select
                label={t('From')}
                placeholder={t('Choose a number')}
                searchable
                nothingFoundMessage={t('No matching numbers that can text')}
                data={numbers.map((n) => ({
                  value: String(n.id),
                  label: n.label === n.formatted ? n.formatted : `${n.label} · ${n.formatted}`,
                }))}
                {...form.getInputProps('number_id')}
              />
            </div>
          </Section>
          <Section title={t('When')}>
            <div className={css.fields}>
              <WhenField
                zone={zone}
                value={v.should_be_sent_at}
                error={form.errors['should_be_sent_at']}
                onChange={(at) => form.setFieldValue('should_be_sent_at', at)}
              />
              {quiet && quiet.start !== quiet.end && (
                <p className={css.quiet}>
                  {quiet.mode === 'company'
                    ? t(
                        'No texts are sent between {start} and {end} in your company’s time zone.',
                        quiet,
                      )
                    : t(
                        'No texts are sent between {start} and {end} in the recipient’s time zone.',
                        quiet,
                      )}
                </p>
              )}
              <Checkbox
                label={t('Continue the next day if unfinished')}
                description={
                  mentionsToday(v.text) && v.resume_next_day
                    ? t('Your text mentions today or tomorrow. Will it still make sense then?')
                    : undefined
                }
                checked={v.resume_next_day}
                onChange={(e) => form.setFieldValue('resume_next_day', e.currentTarget.checked)}
              />
              <Checkbox
                label={t('Show in inbox')}
                description={t('If off, a conversation appears in the inbox once someone replies.')}
                checked={!v.skip_inbox}
                onChange={(e) => form.setFieldValue('skip_inbox', !e.currentTarget.checked)}
              />
            </div>
          </Section>
        </form>
        <aside className={css.side} aria-label={t('Preview')}>
          <PhonePreview
            from={number?.number ?? null}
            samples={samples}
            files={[
              ...v.kept.map((f) => ({
                key: String(f.id),
                name: f.name,
                url: f.type.startsWith('image/') ? f.url : null,
              })),
              ...files,
            ]}
          />
          <Section title={t('Before you send')}>
            <CostEstimate preview={preview} refreshing={refreshing} />
          </Section>
        </aside>
      </div>
      {testing !== null && (
        <TestDialog
          id={testing}
          close={() => {
            const id = testing;
            setTesting(null);
            if (!campaign) setNext(`/campaigns/${id}/edit`);
          }}
        />
      )}
    </Page>
  );
}
/** Somebody to read it as, until a group is chosen. */
const example = {
  first_name: 'Dana',
  last_name: 'Reed',
  phone: '(212) 555-0147',
  email: 'dana@example.com',
};
/** `21:00` as people say it. */
const clockText = (time: string): string =>
  new Date(`2020-01-01T${time}:00`).toLocaleTimeString('en-US', {
    hour: 'numeric',
    minute: '2-digit',
  });
