import { useState } from 'react';
import { ActionIcon, Alert, Button, Select, TagsInput, Text, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { numbers, routing, templates } from '#contract';
import {
  flash,
  formatMoney,
  formatNumber,
  formatPhoneNumber,
  go,
  PhoneNumber,
  Section,
  t,
  trackBatch,
  useAsk,
  useMay,
  useNow,
  useTell,
  type Refusal,
} from '#ui';
import { BulkProgress } from './BulkProgress.tsx';
import { clock, dropFromCart, dropTaken, emptyCart, heldFor, markTaken, useCart } from './cart.ts';
import { LimitNotice } from './LimitNotice.tsx';
import css from './Selection.module.css';

const SHOWN = 30;

/** What is about to be bought: how long it is held, what it costs, whether the limit allows it. */
export function Selection({ onBought }: { onBought: () => void }) {
  const cart = useCart();
  const now = useNow(1000);
  const [label, setLabel] = useState('');
  const [tags, setTags] = useState<string[]>([]);
  const mayTemplates = useMay('routing.view');
  const kept =
    useAsk(templates.listNumberTemplates, { query: { perPage: 250 } } as never, {
      when: mayTemplates,
      quiet: true,
      freshMs: 60_000,
    }).answer?.data ?? [];
  // Until somebody chooses, the company's default.
  const [chosenTemplate, setTemplate] = useState<string | null | undefined>(undefined);
  const usual = kept.find((one) => one.is_default);
  const template =
    chosenTemplate === undefined ? (usual ? String(usual.id) : null) : chosenTemplate;
  const [batch, setBatch] = useState<string | null>(null);
  const { tell, telling } = useTell(numbers.buyNumbers, {
    form: (refusal) => {
      markTaken(takenIn(refusal));
      return [];
    },
    // What was just bought must not be offered again from memory.
    touches: [
      numbers.locateNumbers,
      numbers.listNumbersDatatable,
      numbers.listNumbers,
      numbers.listNumbersOfCompany,
      numbers.numberStats,
      numbers.numberLimit,
      numbers.companyAreaCodes,
      routing.getNumber,
    ],
  });
  const wanted = cart.filter((line) => !line.taken);
  const taken = cart.length - wanted.length;
  const left = heldFor(cart, now);
  const monthly = wanted.reduce((sum, line) => sum + line.monthlyCents, 0);
  const setup = wanted.reduce((sum, line) => sum + line.setupCents, 0);

  const buy = async (): Promise<void> => {
    const answer = await tell({
      body: {
        numbers: wanted.map((line) => line.number),
        reservationIds: [],
        ...(label.trim() && { label: label.trim() }),
        ...(tags.length > 0 && { tags }),
        ...(template && { template_id: Number(template) }),
      },
    });
    if (!answer) return;
    emptyCart();
    setLabel('');
    onBought();
    if ('batchId' in answer.data) {
      trackBatch({
        id: answer.data.batchId,
        label: t('Buying {n} numbers', { n: wanted.length }),
        total: wanted.length,
      });
      setBatch(answer.data.batchId);
      return;
    }
    const [first, ...others] = answer.data;
    flash.success(
      others.length
        ? t('{n} numbers are yours', { n: formatNumber(answer.data.length) })
        : t('{number} is yours', { number: formatPhoneNumber(first!.number) }),
    );
    go(others.length ? '/numbers' : `/numbers/${first!.id}`);
  };

  return (
    <aside className={css.selection} aria-label={t('Your selection')}>
      <Section
        title={t('Your selection')}
        action={
          cart.length > 0 && (
            <Button size="compact-sm" variant="subtle" color="gray" onClick={emptyCart}>
              {t('Empty')}
            </Button>
          )
        }
      >
        {batch && (
          <div className={css.block}>
            <BulkProgress batchId={batch} onClose={() => setBatch(null)} />
          </div>
        )}
        {cart.length === 0 && !batch && (
          <Text size="sm" c="dimmed">
            {t('Numbers you choose wait here until you buy them.')}
          </Text>
        )}
        {cart.length > 0 && (
          <ul className={css.lines}>
            {cart.slice(0, SHOWN).map((line) => (
              <li key={line.number} className={css.line} data-taken={line.taken || undefined}>
                <span className={css.what}>
                  <PhoneNumber value={line.number} />
                  <small>
                    {line.taken
                      ? t('Just taken by somebody else')
                      : (line.vanityText ?? (line.place || t('Toll-free')))}
                  </small>
                </span>
                <span className={css.price} data-numeric>
                  {formatMoney(line.monthlyCents)}
                </span>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={28}
                  aria-label={t('Take {number} out', { number: formatPhoneNumber(line.number) })}
                  onClick={() => dropFromCart(line.number)}
                >
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              </li>
            ))}
            {cart.length > SHOWN && (
              <li className={css.rest}>
                {t('and {n} more', { n: formatNumber(cart.length - SHOWN) })}
              </li>
            )}
          </ul>
        )}
        {taken > 0 && (
          <Alert color="orange" className={css.block}>
            <Text size="sm" mb="xs">
              {t('{n} of them were taken meanwhile. The others are still free.', {
                n: formatNumber(taken),
              })}
            </Text>
            <Button size="compact-sm" variant="default" onClick={dropTaken}>
              {t('Take them out')}
            </Button>
          </Alert>
        )}
        {wanted.length > 0 && (
          <div className={css.block}>
            <Text
              size="sm"
              {...(!(left !== null && left < 60) && { c: 'dimmed' })}
              data-numeric
              className={css.held ?? ''}
            >
              {left === null
                ? t('No longer held for you, but perhaps still free.')
                : t('Held for you for {time}', { time: clock(left) })}
            </Text>
            <TextInput
              label={t('Label')}
              description={
                wanted.length > 1 ? t('All of them get it; change it later.') : undefined
              }
              placeholder={t('Front desk')}
              maxLength={80}
              value={label}
              onChange={(e) => setLabel(e.currentTarget.value)}
            />
            <TagsInput
              label={t('Tags')}
              placeholder={tags.length ? '' : t('Type and press Enter')}
              maxTags={50}
              value={tags}
              onChange={setTags}
            />
            {kept.length > 0 && (
              <Select
                label={t('Template')}
                placeholder={t('None')}
                clearable
                clearButtonProps={{ 'aria-label': t('No template') }}
                data={kept.map((one) => ({ value: String(one.id), label: one.name }))}
                value={template}
                onChange={setTemplate}
              />
            )}
            <dl className={css.total}>
              <dt>{t('A month')}</dt>
              <dd data-numeric>{formatMoney(monthly)}</dd>
              {setup > 0 && (
                <>
                  <dt>{t('Once')}</dt>
                  <dd data-numeric>{formatMoney(setup)}</dd>
                </>
              )}
            </dl>
            <Button fullWidth loading={telling} onClick={() => void buy()}>
              {wanted.length === 1
                ? t('Buy this number')
                : t('Buy {n} numbers', { n: formatNumber(wanted.length) })}
            </Button>
          </div>
        )}
        <div className={css.block}>
          <LimitNotice wanted={wanted.length} />
        </div>
      </Section>
    </aside>
  );
}

/** The numbers a refusal says are gone. */
function takenIn(refusal: Refusal): string[] {
  const errors = (refusal.body as { errors?: unknown } | null)?.errors;
  const first = Array.isArray(errors) ? (errors[0] as { taken?: unknown } | undefined) : undefined;
  return Array.isArray(first?.taken) ? (first.taken as string[]) : [];
}
