import { NumberInput, Select, SimpleGrid } from '@mantine/core';
import { attributionModels } from '#contract/tracking/pool-rules';
import { Section, t } from '#ui';
import { modelOptions, modelSentence } from '../models/labels.ts';
import type { PoolFormModel } from './use-pool-form.ts';

/** How calls to the pool’s numbers are connected with visits, and which visit gets the credit. */
export function AttributionSection({ form, mayEdit }: { form: PoolFormModel; mayEdit: boolean }) {
  const fixed = { readOnly: !mayEdit };
  return (
    <Section
      title={t('Which visit a call came from')}
      about={t(
        'Another model also changes the credit for earlier calls. What is known of them stays.',
      )}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <Select
          label={t('Attribution model')}
          description={modelSentence(form.values.attributionModel)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          allowDeselect={false}
          data={modelOptions(attributionModels)}
          {...fixed}
          {...form.getInputProps('attributionModel')}
        />
        <NumberInput
          label={t('Calls count for hours after the visit')}
          min={0}
          max={720}
          {...fixed}
          {...form.getInputProps('attributionWindowHours')}
        />
      </SimpleGrid>
    </Section>
  );
}
