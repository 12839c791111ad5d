import { Alert, Button, Group, Skeleton, Stack, Switch, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { teamwork } from '#contract';
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
import { SegmentCounter } from '../composer/SegmentCounter.tsx';

type Texts = NonNullable<(typeof teamwork.getAutomaticTexts)['__types']>['answer']['data'];

/** The automatic texts of a number. */
export function AutomaticTexts({ numberId }: { numberId: number }) {
  const { response, error, refetch } = useApiQuery(
    teamwork.getAutomaticTexts,
    { params: { id: numberId } },
    { silent: true, refetchOnMount: true },
  );
  if (!response)
    return error ? <ErrorState error={error} retry={refetch} /> : <Skeleton height={160} />;
  return (
    <Editing
      key={JSON.stringify([response.data.after_hours, response.data.text_back])}
      texts={response.data}
    />
  );
}

function Editing({ texts }: { texts: Texts }) {
  const mayEdit = usePermission('numbers.configure');
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
  const { mutate, isPending } = useApiMutation(teamwork.setAutomaticTexts, {
    onFieldErrors: bindFieldErrors(form),
    success: t('Auto-replies saved'),
    invalidates: [teamwork.getAutomaticTexts],
  });
  useUnsavedGuard(form.isDirty());
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (v) =>
          void mutate({
            params: { id: texts.number_id },
            body: {
              after_hours: v.closed ? v.after_hours : null,
              text_back: v.missed ? v.text_back : null,
            },
          }),
      )}
    >
      {!mayEdit && (
        <Alert color="gray" mb="md">
          {t('Your role can view these settings but not change them.')}
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
            <div>
              <Textarea
                label={t('Answer')}
                autosize
                minRows={2}
                maxRows={6}
                maxLength={480}
                readOnly={!mayEdit}
                {...form.getInputProps('after_hours')}
              />
              <Text span c="dimmed" fz="xs">
                <SegmentCounter
                  text={form.values.after_hours}
                  media={false}
                  onPlain={(text) => form.setFieldValue('after_hours', text)}
                />
              </Text>
            </div>
          )}
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
            <div>
              <Textarea
                label={t('Text')}
                autosize
                minRows={2}
                maxRows={6}
                maxLength={480}
                readOnly={!mayEdit}
                {...form.getInputProps('text_back')}
              />
              <Text span c="dimmed" fz="xs">
                <SegmentCounter
                  text={form.values.text_back}
                  media={false}
                  onPlain={(text) => form.setFieldValue('text_back', text)}
                />
              </Text>
            </div>
          )}
        </Stack>
      </Section>
      {mayEdit && (
        <Group my="md" gap="xs">
          <Button type="submit" loading={isPending} disabled={!form.isDirty()}>
            {t('Save')}
          </Button>
          <Button
            variant="default"
            disabled={!form.isDirty() || isPending}
            onClick={() => form.reset()}
          >
            {t('Discard changes')}
          </Button>
        </Group>
      )}
    </form>
  );
}
