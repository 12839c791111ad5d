import { numbers, routing } from '#contract';
import { entityOf } from '#contract/field-rules';
import { Section, t, useMay, useTell } from '#ui';
import { CustomFields } from '../fields/CustomFields.tsx';
import { useFields } from '../fields/use-fields.tsx';
import type { NumberShown } from './number-form.ts';

/** The company's custom fields of a number; each is kept when one leaves it. */
export function NumberFields({ number }: { number: NumberShown }) {
  const mayEdit = useMay('numbers.configure');
  const { tell, refusal } = useTell(routing.updateNumber, {
    success: t('Number was successfully updated'),
    touches: [routing.getNumber, numbers.listNumbersDatatable],
    quiet: (r) => Object.keys(r.fields).some((name) => name.startsWith('eavAttributeValues.')),
  });
  if (!useFields(entityOf.number).fields.length) return null;
  return (
    <Section title={t('Custom fields')}>
      <CustomFields
        entity={entityOf.number}
        values={number.eavAttributeValues}
        disabled={!mayEdit}
        errors={refusal?.fields ?? {}}
        onChange={(eavAttributeValues) =>
          void tell({ params: { id: number.id }, body: { eavAttributeValues } })
        }
      />
    </Section>
  );
}
