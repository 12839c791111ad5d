import { Button, Group, Stack, Switch, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { tracking } from '#contract';
import { bindFieldErrors, Section, t, useApiMutation, useCompanyId } from '#ui';
import css from './script.module.css';

interface Props {
  script: tracking.Script;
  mayEdit: boolean;
}

/** Which forms of the website become leads. */
export function FormLeads({ script, mayEdit }: Props) {
  const { isEnabled } = script.forms;
  const params = { companyId: useCompanyId() ?? 0 };
  const { mutate, isPending } = useApiMutation(tracking.updateScript, {
    invalidates: [tracking.getScript],
  });
  return (
    <Section
      title={t('Forms')}
      about={t('A form with a phone number becomes a conversation that says where it came from.')}
    >
      <Stack gap="sm">
        <Switch
          label={t('Forms become leads')}
          checked={isEnabled}
          disabled={!mayEdit || isPending}
          onChange={(event) =>
            void mutate({ params, body: { formsEnabled: event.currentTarget.checked } })
          }
        />
        {isEnabled && <CapturedForms script={script} mayEdit={mayEdit} />}
        {isEnabled && <FormCode forms={script.forms} />}
      </Stack>
    </Section>
  );
}

/** The forms that are captured without the website saying anything. */
function CapturedForms({ script, mayEdit }: Props) {
  const params = { companyId: useCompanyId() ?? 0 };
  const form = useForm({ initialValues: { selectors: script.forms.selectors.join('\n') } });
  const { mutate, isPending } = useApiMutation(tracking.updateScript, {
    invalidates: [tracking.getScript],
    onFieldErrors: bindFieldErrors(form, { formSelectors: 'selectors' }),
    onSuccess: () => form.resetDirty(),
  });
  const save = form.onSubmit(({ selectors }) => {
    const formSelectors = selectors.split('\n').flatMap((line) => line.trim() || []);
    void mutate({ params, body: { formSelectors } });
  });
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm">
        <Textarea
          label={t('Forms to capture')}
          description={t(
            'One CSS selector a line, such as #appointment. Passwords, cards and fields in [data-dni-private] are never sent.',
          )}
          autosize
          minRows={2}
          disabled={!mayEdit}
          {...form.getInputProps('selectors')}
        />
        {mayEdit && (
          <Group>
            <Button type="submit" variant="default" loading={isPending} disabled={!form.isDirty()}>
              {t('Save')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

const ownCall = "DNI.event('form', { form: 'Appointment', name: '…', phone: '…' });";

/** What to put on the website, so that its forms are heard of. */
const FormCode = ({ forms: { selectors, snippet } }: { forms: tracking.Script['forms'] }) => (
  <>
    <Text size="sm">
      {selectors.length > 0
        ? t('Paste this below the script. It captures these forms.')
        : t('Choose forms, or report them from your own code:')}
    </Text>
    <pre className={css.code} tabIndex={0} aria-label={t('Code for forms')}>
      {selectors.length > 0 ? snippet : ownCall}
    </pre>
  </>
);
