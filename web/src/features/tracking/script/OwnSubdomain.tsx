import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { tracking } from '#contract';
import { bindFieldErrors, Section, t, Time, useApiMutation, useCompanyId } from '#ui';

interface Props {
  script: tracking.Script;
  mayEdit: boolean;
}

/** From which subdomain of the website its pages load the script. */
export function OwnSubdomain({ script, mayEdit }: Props) {
  const params = { companyId: useCompanyId() ?? 0 };
  const form = useForm({ initialValues: { host: script.firstParty.host ?? '' } });
  const { mutate, isPending } = useApiMutation(tracking.updateScript, {
    invalidates: [tracking.getScript],
    onFieldErrors: bindFieldErrors(form, { firstPartyHost: 'host' }),
    onSuccess: () => form.resetDirty(),
  });
  const save = form.onSubmit(({ host }) => {
    void mutate({ params, body: { firstPartyHost: host.trim() || null } });
  });
  return (
    <Section
      title={t('Your own subdomain')}
      about={t(
        'Safari forgets visitors after 7 days, or 24 hours after a click on an ad. Other browsers remember them for 400 days.',
      )}
    >
      <form onSubmit={save} noValidate>
        <Stack gap="sm">
          <TextInput
            label={t('Subdomain of your website')}
            description={t(
              'Safari remembers visitors for 400 days too if the subdomain is in the same network as the website. Leave it empty to load the script from us.',
            )}
            placeholder="phones.example.com"
            disabled={!mayEdit}
            {...form.getInputProps('host')}
          />
          {script.firstParty.host && <Steps script={script} />}
          {mayEdit && (
            <Group>
              <Button
                type="submit"
                variant="default"
                loading={isPending}
                disabled={!form.isDirty()}
              >
                {t('Save')}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Section>
  );
}

/** What is left to do for a subdomain, and whether browsers use it. */
function Steps({ script: { firstParty, installed } }: { script: tracking.Script }) {
  const { host, target } = firstParty;
  const seenAt = installed.domains
    .flatMap((one) => (one.firstPartyHost === host ? (one.firstPartyAt ?? []) : []))
    .sort()
    .at(-1);
  return (
    <Text size="sm">
      {seenAt ? (
        <>
          {t('Visitors’ browsers last used it')} <Time at={seenAt} />
        </>
      ) : (
        t(
          'Not used yet. Point {host} to a server with a certificate for it that passes requests on to {target}. Then replace the script on your website with the code above.',
          { host: host ?? '', target },
        )
      )}
    </Text>
  );
}
