import { useState } from 'react';
import { Select, TextInput } from '@mantine/core';
import { normalizePhone } from '#contract/phone';
import { formatPhoneNumber, t } from '#ui';
import { updatePhone, type HandsetPhone } from './phones.ts';
import type { CompanyNumber } from './sandbox.ts';
import css from './HandsetCard.module.css';

const another = 'another';

/** The number a phone texts and calls: one of the companies', or any other. */
export function CompanyNumberField({
  phone,
  known,
}: {
  phone: HandsetPhone;
  known: readonly CompanyNumber[];
}) {
  const isListed = known.some((k) => k.number === phone.with);
  const [typing, setTyping] = useState(phone.with !== '' && !isListed && known.length > 0);
  const [typed, setTyped] = useState(phone.with);
  const companies = [...new Set(known.map((k) => k.company))];
  const listed = isListed ? phone.with : null;
  return (
    <div className={css.with}>
      <Select
        size="sm"
        aria-label={t('Company number')}
        placeholder={t('Choose a company number')}
        searchable={known.length > 8}
        allowDeselect={false}
        value={typing ? another : listed}
        maxDropdownHeight={320}
        data={[
          ...companies.map((company) => ({
            group: company,
            items: known
              .filter((k) => k.company === company)
              .map((k) => ({
                value: k.number,
                label: `${k.label || t('Number')}  ${formatPhoneNumber(k.number)}`,
              })),
          })),
          { group: t('Other'), items: [{ value: another, label: t('Another number') }] },
        ]}
        onChange={(value) => {
          setTyping(value === another);
          if (value && value !== another) updatePhone(phone.number, { with: value });
        }}
      />
      {typing && (
        <TextInput
          size="sm"
          mt={6}
          type="tel"
          aria-label={t('Number to text or call')}
          placeholder="(415) 555-2368"
          value={typed}
          error={typed && !normalizePhone(typed) ? t('Enter ten digits.') : undefined}
          onChange={(e) => {
            setTyped(e.currentTarget.value);
            const number = normalizePhone(e.currentTarget.value);
            if (number) updatePhone(phone.number, { with: number });
          }}
        />
      )}
    </div>
  );
}
