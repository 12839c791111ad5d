import { Alert, Button, Group, Select, Skeleton, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import { routing } from '#contract';
import {
  bindFieldErrors,
  EmptyState,
  ErrorState,
  lazyComponent,
  Section,
  t,
  useApiQuery,
  usePermission,
  useApiMutation,
  useUnsavedGuard,
  useFollowSaved,
} from '#ui';
import { toDraft, nextRoute, draftErrors, withoutEmptyRows, type Draft } from './draft.ts';
import { toRequest } from './draft-request.ts';
import { GreetingPicker } from '../numbers/index.ts';
import type { DraftForm } from './draft.ts';
import { RouteCard } from './RouteCard.tsx';
import css from './RouteEditor.module.css';
import { testTimesOf } from './test-times.ts';

const CallSimulator = lazyComponent(
  async () => (await import('./CallSimulator.tsx')).CallSimulator,
);

const ExcludedPeople = lazyComponent(
  async () => (await import('./ExcludedPeople.tsx')).ExcludedPeople,
);

/** How calls of one number are answered: its routes in order, and a place to test them. */
export function RouteEditor({ numberId }: { numberId: number }) {
  const { response, error, refetch } = useApiQuery(routing.getNumber, { params: { id: numberId } });
  if (error && !response) return <ErrorState error={error} retry={refetch} />;
  if (!response)
    return (
      <Stack>
        {[0, 1, 2].map((i) => (
          <Skeleton key={i} height={72} />
        ))}
      </Stack>
    );
  return <Editor key={response.data.id} number={response.data} />;
}

/** The form of a number's routes, kept in step with other editors. */
function useRoutesForm(number: routing.NumberWithRoutes) {
  const form = useForm<Draft>({ initialValues: toDraft(number), validate: draftErrors });
  const { mutate, isPending } = useApiMutation(routing.updateNumber, {
    onFieldErrors: bindFieldErrors(form),
    success: t('Number updated'),
    invalidates: [routing.getNumber],
  });
  useUnsavedGuard(form.isDirty());
  useFollowSaved(form, toDraft(number));

  const save = async (): Promise<void> => {
    const draft = withoutEmptyRows(form.getValues());
    form.setValues(draft);
    const wrong = draftErrors(draft);
    if (Object.keys(wrong).length > 0) {
      form.setErrors(wrong);
      return;
    }
    const response = await mutate({ params: { id: number.id }, body: toRequest(draft) });
    if (!response) return;
    const fresh = toDraft(response.data);
    form.setInitialValues(fresh);
    form.setValues(fresh);
    form.resetDirty(fresh);
  };
  return { form, save, isPending };
}

function Editor({ number }: { number: routing.NumberWithRoutes }) {
  const mayEdit = usePermission('numbers.configure');
  const { form, save, isPending } = useRoutesForm(number);
  const { routes } = form.values;
  const addRoute = (): void => form.setFieldValue('routes', [...routes, nextRoute(routes)]);
  return (
    <div className={css.columns}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        noValidate
      >
        <Stack gap="md">
          {!mayEdit && (
            <Alert color="gray">
              {t(
                'Your role can view these settings but not change them. Ask an owner or administrator.',
              )}
            </Alert>
          )}
          {number.excluded_users.length > 0 && <ExcludedPeople number={number} />}
          {routes.length > 1 && <MenuSection form={form} mayEdit={mayEdit} />}
          <RouteList form={form} mayEdit={mayEdit} onAdd={addRoute} />
          {mayEdit && routes.length > 0 && (
            <Group>
              <Button
                variant="default"
                leftSection={<IconPlus size={16} aria-hidden />}
                onClick={addRoute}
              >
                {t('Add extension')}
              </Button>
            </Group>
          )}
          {mayEdit && <SaveBar form={form} isPending={isPending} />}
        </Stack>
      </form>
      <CallSimulator
        numberId={number.id}
        draft={() => toRequest(withoutEmptyRows(form.getValues())).routes}
        unsaved={form.isDirty()}
        testTimes={testTimesOf(form.values, new Date())}
      />
    </div>
  );
}

function RouteList({
  form,
  mayEdit,
  onAdd,
}: {
  form: DraftForm;
  mayEdit: boolean;
  onAdd: () => void;
}) {
  const { routes } = form.values;
  if (routes.length === 0)
    return (
      <EmptyState
        title={t('No routes yet')}
        action={mayEdit && <Button onClick={onAdd}>{t('Add a route')}</Button>}
      >
        {t(
          'A route decides who rings when someone calls this number. Without one, callers reach voicemail or hear a message.',
        )}
      </EmptyState>
    );
  return (
    <ol className={css.routes} aria-label={t('Routes')}>
      {routes.map((route, i) => (
        <RouteCard
          key={route.key}
          form={form}
          index={i}
          several={routes.length > 1}
          mayEdit={mayEdit}
        />
      ))}
    </ol>
  );
}

function SaveBar({ form, isPending }: { form: DraftForm; isPending: boolean }) {
  return (
    <div className={css.bar}>
      {form.isDirty() && <span>{t('Unsaved changes')}</span>}
      <Button
        variant="default"
        disabled={!form.isDirty() || isPending}
        onClick={() => form.reset()}
      >
        {t('Discard')}
      </Button>
      <Button type="submit" loading={isPending} disabled={!form.isDirty()}>
        {t('Save routes')}
      </Button>
    </div>
  );
}

/** What callers hear when a number has several extensions. */
function MenuSection({ form, mayEdit }: { form: DraftForm; mayEdit: boolean }) {
  const { routes } = form.values;
  return (
    <Section
      title={t('Menu')}
      about={t('With several extensions, callers hear this and press a key.')}
    >
      <Stack gap="sm">
        <GreetingPicker
          label={t('Menu greeting')}
          type="menu"
          none={t('Custom text')}
          readOnly={!mayEdit}
          value={form.values.menu.greeting_id ?? null}
          onChange={(id) => form.setFieldValue('menu.greeting_id', id)}
        />
        {!form.values.menu.greeting_id && (
          <Textarea
            label={t('What callers hear')}
            placeholder={t('Created from the labels below')}
            maxLength={1000}
            readOnly={!mayEdit}
            {...form.getInputProps('menu.greeting')}
          />
        )}
        <Select
          label={t('If no key is pressed')}
          readOnly={!mayEdit}
          clearable={mayEdit}
          clearButtonProps={{ 'aria-label': t('Clear') }}
          placeholder={t('Voicemail if on, otherwise the first extension')}
          data={[
            { value: 'voicemail', label: t('Voicemail') },
            ...routes.map((one) => ({
              value: String(one.extension),
              label:
                one.label === ''
                  ? t('Extension {n}', { n: one.extension })
                  : `${one.extension} ${one.label}`,
            })),
          ].filter((one, i, all) => all.findIndex((other) => other.value === one.value) === i)}
          value={form.values.menu.fallback || null}
          onChange={(value) => form.setFieldValue('menu.fallback', value ?? '')}
        />
      </Stack>
    </Section>
  );
}
