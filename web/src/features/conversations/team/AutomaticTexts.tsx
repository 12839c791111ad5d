import { Alert, Anchor, Skeleton, Stack, Switch, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { team } from '#contract';
import {
  bindFieldErrors,
  ErrorState,
  Section,
  StatusBadge,
  t,
  useApiQuery,
  usePermission,
  useApiMutation,
  useUnsavedGuard,
} from '#ui';
import { SaveBar } from '../../../shared/SaveBar.tsx';
import { SegmentCounter } from '../composer/SegmentCounter.tsx';

type Texts = NonNullable<(typeof team.getAutomaticTexts)['__types']>['answer']['data'];

/** The automatic texts of a number. */
export function AutomaticTexts({ numberId }: { numberId: number }) {
  const { response, error, refetch } = useApiQuery(
    team.getAutomaticTexts,
    { params: { id: numberId } },
    { silent: true, refetchOnMount: true },
  );
  if (!response)
    return error ? <ErrorState error={error} retry={refetch} /> : <Skeleton height={160} />;
  return (
    <AutomaticTextsForm
      key={JSON.stringify([response.data.after_hours, response.data.text_back])}
      texts={response.data}
    />
  );
}

function AutomaticTextsForm({ texts }: { texts: Texts }) {
  const mayEdit = usePermission('numbers.configure');
  const { form, save, isPending } = useAutomaticTexts(texts);
  return (
    <form noValidate onSubmit={form.onSubmit(save)}>
      {!mayEdit && (
        <Alert color="gray" mb="md">
          {t(
            'Your role can view these settings but not change them. Ask an owner or administrator.',
          )}
        </Alert>
      )}
      <Section
        title={t('After hours')}
        about={t(
          'Replies to the first text in a conversation, once each time you’re closed. Follows this number’s schedule, or the company’s hours.',
        )}
        action={
          <StatusBadge tone={texts.open_now ? 'success' : 'neutral'}>
            {texts.open_now ? t('Open now') : t('Closed now')}
          </StatusBadge>
        }
      >
        <Stack gap="sm">
          <Switch
            label={t('Reply to texts after hours')}
            disabled={!mayEdit}
            {...form.getInputProps('closed', { type: 'checkbox' })}
          />
          {form.values.closed && (
            <TextField form={form} name="after_hours" label={t('Answer')} mayEdit={mayEdit} />
          )}
          <CompanyText text={form.values.closed ? null : texts.company.after_hours} />
        </Stack>
      </Section>
      <Section
        title={t('After a missed call')}
        about={t(
          'Texts callers you missed, at most once an hour. Never landlines, blocked callers or people who opted out.',
        )}
      >
        <Stack gap="sm">
          <Switch
            label={t('Text back missed callers')}
            disabled={!mayEdit}
            {...form.getInputProps('missed', { type: 'checkbox' })}
          />
          {form.values.missed && (
            <TextField form={form} name="text_back" label={t('Text')} mayEdit={mayEdit} />
          )}
          <CompanyText text={form.values.missed ? null : texts.company.text_back} />
        </Stack>
      </Section>
      {mayEdit && <SaveButtons form={form} isPending={isPending} />}
    </form>
  );
}

/** What the company sends from a number without a text; nothing where it sends none. */
const CompanyText = ({ text }: { text: string | null }) =>
  text !== null && (
    <Text c="dimmed" fz="sm">
      {t('Your company’s text is sent instead: “{text}”', { text })}{' '}
      <Anchor href="/settings/general">{t('Change it in Settings')}</Anchor>
    </Text>
  );

/** The texts as form values: a switch for each, and what it sends when it is on. */
function useAutomaticTexts(texts: Texts) {
  const form = useForm({
    initialValues: {
      closed: texts.after_hours !== null,
      after_hours:
        texts.after_hours ??
        t('Thanks for your message. We’re closed right now and will reply when we’re back.'),
      missed: texts.text_back !== null,
      text_back: texts.text_back ?? t('Sorry we missed your call. How can we help?'),
    },
    validate: {
      after_hours: (v, all) => (all.closed && !v.trim() ? t('Enter a reply.') : null),
      text_back: (v, all) => (all.missed && !v.trim() ? t('Enter a message.') : null),
    },
  });
  const { mutate, isPending } = useApiMutation(team.setAutomaticTexts, {
    onFieldErrors: bindFieldErrors(form),
    success: t('Auto-replies saved'),
    invalidates: [team.getAutomaticTexts],
  });
  useUnsavedGuard(form.isDirty());
  const save = (values: typeof form.values): void =>
    void mutate({
      params: { id: texts.number_id },
      body: {
        after_hours: values.closed ? values.after_hours : null,
        text_back: values.missed ? values.text_back : null,
      },
    });
  return { form, save, isPending };
}
type TextsForm = ReturnType<typeof useAutomaticTexts>['form'];

function TextField({
  form,
  name,
  label,
  mayEdit,
}: {
  form: TextsForm;
  name: 'after_hours' | 'text_back';
  label: string;
  mayEdit: boolean;
}) {
  return (
    <div>
      <Textarea
        label={label}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={480}
        readOnly={!mayEdit}
        {...form.getInputProps(name)}
      />
      <Text span c="dimmed" fz="xs">
        <SegmentCounter
          text={form.values[name]}
          media={false}
          onPlain={(text) => form.setFieldValue(name, text)}
        />
      </Text>
    </div>
  );
}

function SaveButtons({ form, isPending }: { form: TextsForm; isPending: boolean }) {
  return <SaveBar dirty={form.isDirty()} saving={isPending} onDiscard={() => form.reset()} />;
}
