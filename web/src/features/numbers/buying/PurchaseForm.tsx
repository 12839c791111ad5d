import { Button, Select, TagsInput, Text, TextInput } from '@mantine/core';
import type { templates } from '#contract';
import { formatMoney, t } from '#ui';
import { formatClock, type CartItem } from './cart.ts';
import css from './CartPanel.module.css';

interface PurchaseFormProps {
  wanted: readonly CartItem[];
  /** Seconds until the first reservation expires; null when none is active. */
  secondsLeft: number | null;
  label: string;
  setLabel: (label: string) => void;
  tags: string[];
  setTags: (tags: string[]) => void;
  templateChoice: TemplateChoice;
  isPending: boolean;
  onBuy: () => void;
}
export interface TemplateChoice {
  all: readonly templates.NumberTemplate[];
  /** ID of the chosen template; null for none. */
  template: string | null;
  setTemplate: (template: string | null) => void;
}

/** Settings for the numbers to be bought, their price, and the button that buys them. */
export function PurchaseForm(props: PurchaseFormProps) {
  const { wanted, label, tags, templateChoice } = props;
  return (
    <div className={css.block}>
      <ReservationClock secondsLeft={props.secondsLeft} />
      <TextInput
        label={t('Label')}
        description={
          wanted.length > 1 ? t('Applies to all of them. You can change it later.') : undefined
        }
        placeholder={t('Front desk')}
        maxLength={80}
        value={label}
        onChange={(e) => props.setLabel(e.currentTarget.value)}
      />
      <TagsInput
        label={t('Tags')}
        placeholder={tags.length ? '' : t('Type and press Enter')}
        maxTags={50}
        value={tags}
        onChange={props.setTags}
      />
      {templateChoice.all.length > 0 && (
        <Select
          label={t('Template')}
          placeholder={t('None')}
          clearable
          clearButtonProps={{ 'aria-label': t('No template') }}
          data={templateChoice.all.map((one) => ({ value: String(one.id), label: one.name }))}
          value={templateChoice.template}
          onChange={templateChoice.setTemplate}
        />
      )}
      <PurchaseTotal wanted={wanted} />
      <Button fullWidth loading={props.isPending} onClick={props.onBuy}>
        {wanted.length === 1
          ? t('Buy this number')
          : t('{n, plural, one {Buy # number} other {Buy # numbers}}', { n: wanted.length })}
      </Button>
    </div>
  );
}

function ReservationClock({ secondsLeft }: { secondsLeft: number | null }) {
  const isUrgent = secondsLeft !== null && secondsLeft < 60;
  return (
    <Text size="sm" {...(!isUrgent && { c: 'dimmed' })} data-numeric className={css.held ?? ''}>
      {secondsLeft === null
        ? t('No longer held for you, but may still be available.')
        : t('Held for you for {time}', { time: formatClock(secondsLeft) })}
    </Text>
  );
}

function PurchaseTotal({ wanted }: { wanted: readonly CartItem[] }) {
  const monthly = wanted.reduce((sum, item) => sum + item.monthlyCents, 0);
  const setup = wanted.reduce((sum, item) => sum + item.setupCents, 0);
  return (
    <dl className={css.total}>
      <dt>{t('Per month')}</dt>
      <dd data-numeric>{formatMoney(monthly)}</dd>
      {setup > 0 && (
        <>
          <dt>{t('One time')}</dt>
          <dd data-numeric>{formatMoney(setup)}</dd>
        </>
      )}
    </dl>
  );
}
