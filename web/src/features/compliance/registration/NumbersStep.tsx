import { Checkbox, Stack } from '@mantine/core';
import { listNumbersOfCompany } from '#contract/numbers/endpoints';
import { isTollFree } from '#contract/phone';
import { EmptyState, formatPhoneNumber, Section, t, useApiQuery } from '#ui';
import type { RegistrationForm } from './form.ts';

/** Numbers that can be registered: active, able to text, not fax. Undefined while loading. */
export function useRegistrable() {
  const { response } = useApiQuery(
    listNumbersOfCompany,
    { params: { id: ':companyId' } },
    { staleTime: 60_000, silent: true },
  );
  return response?.data.filter((n) => n.status === 'active' && n.sms_enabled && n.category !== 3);
}

export function NumbersStep({ form }: { form: RegistrationForm }) {
  const numbers = useRegistrable();
  const chosen = form.values.campaign.numbers;
  const turn = (id: number, on: boolean): void =>
    form.setFieldValue('campaign.numbers', on ? [...chosen, id] : chosen.filter((n) => n !== id));
  return (
    <Section
      title={t('Numbers')}
      about={t(
        'Local and toll-free numbers are reviewed separately. You can add more later, even after approval.',
      )}
    >
      {numbers?.length === 0 && (
        <EmptyState title={t('No numbers can text')}>
          {t('Buy a number or turn on texting first.')}
        </EmptyState>
      )}
      <Stack gap="xs">
        {numbers?.map((n) => (
          <Checkbox
            key={n.id}
            label={`${n.label ? `${n.label} · ` : ''}${formatPhoneNumber(n.number)}`}
            description={isTollFree(n.number) ? t('Toll-free') : t('Local')}
            checked={chosen.includes(n.id)}
            onChange={(e) => turn(n.id, e.currentTarget.checked)}
          />
        ))}
      </Stack>
      {form.errors['campaign.numbers'] && <p role="alert">{form.errors['campaign.numbers']}</p>}
    </Section>
  );
}
