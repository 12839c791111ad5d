import { Group, Switch } from '@mantine/core';
import { companies, settings } from '#contract';
import { listSmsCampaigns } from '#contract/compliance/registration/endpoints';
import { Section, t, useApiMutation, useCompanyId, usePermission } from '#ui';

/** The company setting that only registered numbers can text. Disabled until it is known. */
export function OnlyRegisteredSwitch({ on, known }: { on: boolean; known: boolean }) {
  const mayEdit = usePermission('settings.edit');
  const companyId = useCompanyId();
  const { mutate, isPending } = useApiMutation(settings.updateGeneralSettings, {
    invalidates: [listSmsCampaigns, companies.getCompany],
    success: t('Settings updated'),
  });
  return (
    <Section plain>
      <Group justify="space-between" gap="md">
        <Switch
          label={t('Only registered numbers can text')}
          description={t(
            'A number without an approved registration can’t start a conversation, but it can reply within a day. Calls aren’t affected.',
          )}
          checked={on}
          disabled={!known || !mayEdit || isPending || companyId === null}
          onChange={(e) =>
            void mutate({
              query: { company_id: companyId },
              body: { texting_requires_verification: e.currentTarget.checked },
            })
          }
        />
      </Group>
    </Section>
  );
}
