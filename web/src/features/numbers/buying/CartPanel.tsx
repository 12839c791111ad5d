import { useState } from 'react';
import { ActionIcon, Alert, Button, Select, TagsInput, Text, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { numbers, routing, templates } from '#contract';
import {
  toast,
  formatMoney,
  formatNumber,
  formatPhoneNumber,
  navigate,
  PhoneNumber,
  Section,
  t,
  trackBatch,
  useApiQuery,
  usePermission,
  useNow,
  useApiMutation,
  type ApiError,
} from '#ui';
import { BulkProgress } from '../list/BulkProgress.tsx';
import {
  formatClock,
  removeFromCart,
  removeUnavailable,
  emptyCart,
  reservationSecondsLeft,
  markUnavailable,
  useCart,
} from './cart.ts';
import { LimitNotice } from './LimitNotice.tsx';
import css from './CartPanel.module.css';

const MAX_SHOWN = 30;

/**
 * The cart: its numbers, how long they are reserved, what they cost, and whether the number limit
 * allows them.
 */
export function CartPanel({ onBought }: { onBought: () => void }) {
  const cart = useCart();
  const now = useNow(1000);
  const [label, setLabel] = useState('');
  const [tags, setTags] = useState<string[]>([]);
  const mayTemplates = usePermission('routing.view');
  const kept =
    useApiQuery(
      templates.listNumberTemplates,
      { query: { perPage: 250 } },
      {
        enabled: mayTemplates,
        silent: true,
        staleTime: 60_000,
      },
    ).response?.data ?? [];
  // Undefined until the user chooses one: the company's default template applies. Null: no
  // template.
  const [chosenTemplate, setTemplate] = useState<string | null | undefined>(undefined);
  const usual = kept.find((one) => one.is_default);
  const template =
    chosenTemplate === undefined ? (usual ? String(usual.id) : null) : chosenTemplate;
  const [batch, setBatch] = useState<string | null>(null);
  const { mutate, isPending } = useApiMutation(numbers.buyNumbers, {
    onFieldErrors: (error) => {
      markUnavailable(unavailableNumbers(error));
      return [];
    },
    // Cached search results still offer the numbers that were just bought.
    invalidates: [
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
  const wanted = cart.filter((item) => !item.taken);
  const taken = cart.length - wanted.length;
  const left = reservationSecondsLeft(cart, now);
  const monthly = wanted.reduce((sum, item) => sum + item.monthlyCents, 0);
  const setup = wanted.reduce((sum, item) => sum + item.setupCents, 0);

  const buy = async (): Promise<void> => {
    const response = await mutate({
      body: {
        numbers: wanted.map((item) => item.number),
        reservationIds: [],
        ...(label.trim() && { label: label.trim() }),
        ...(tags.length > 0 && { tags }),
        ...(template && { template_id: Number(template) }),
      },
    });
    if (!response) return;
    emptyCart();
    setLabel('');
    onBought();
    if ('batchId' in response.data) {
      trackBatch({
        id: response.data.batchId,
        label: t('{n, plural, one {Buying # number} other {Buying # numbers}}', {
          n: wanted.length,
        }),
        total: wanted.length,
      });
      setBatch(response.data.batchId);
      return;
    }
    const [first, ...others] = response.data;
    toast.success(
      others.length
        ? t('{n, plural, one {# number is yours} other {# numbers are yours}}', {
            n: response.data.length,
          })
        : t('{number} is yours', { number: formatPhoneNumber(first!.number) }),
    );
    navigate(others.length ? '/numbers' : `/numbers/${first!.id}`);
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
            {t('Numbers you select stay here until you buy them.')}
          </Text>
        )}
        {cart.length > 0 && (
          <ul className={css.lines}>
            {cart.slice(0, MAX_SHOWN).map((item) => (
              <li key={item.number} className={css.line} data-taken={item.taken || undefined}>
                <span className={css.what}>
                  <PhoneNumber value={item.number} />
                  <small>
                    {item.taken
                      ? t('Just taken by someone else')
                      : (item.vanityText ?? (item.place || t('Toll-free')))}
                  </small>
                </span>
                <span className={css.price} data-numeric>
                  {formatMoney(item.monthlyCents)}
                </span>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={28}
                  aria-label={t('Remove {number}', { number: formatPhoneNumber(item.number) })}
                  onClick={() => removeFromCart(item.number)}
                >
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              </li>
            ))}
            {cart.length > MAX_SHOWN && (
              <li className={css.rest}>
                {t('and {n} more', { n: formatNumber(cart.length - MAX_SHOWN) })}
              </li>
            )}
          </ul>
        )}
        {taken > 0 && (
          <Alert color="orange" className={css.block}>
            <Text size="sm" mb="xs">
              {t(
                '{n, plural, one {# of them was just taken.} other {# of them were just taken.}} The rest are still available.',
                {
                  n: taken,
                },
              )}
            </Text>
            <Button size="compact-sm" variant="default" onClick={removeUnavailable}>
              {t('Remove them')}
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
                ? t('No longer held for you, but may still be available.')
                : t('Held for you for {time}', { time: formatClock(left) })}
            </Text>
            <TextInput
              label={t('Label')}
              description={
                wanted.length > 1
                  ? t('Applies to all of them. You can change it later.')
                  : undefined
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
              <dt>{t('Per month')}</dt>
              <dd data-numeric>{formatMoney(monthly)}</dd>
              {setup > 0 && (
                <>
                  <dt>{t('One time')}</dt>
                  <dd data-numeric>{formatMoney(setup)}</dd>
                </>
              )}
            </dl>
            <Button fullWidth loading={isPending} onClick={() => void buy()}>
              {wanted.length === 1
                ? t('Buy this number')
                : t('{n, plural, one {Buy # number} other {Buy # numbers}}', { n: wanted.length })}
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

/**
 * Numbers that another company bought meanwhile, as the API error lists them (E.164). Empty for
 * other errors.
 */
function unavailableNumbers(error: ApiError): string[] {
  const errors = (error.body as { errors?: unknown } | null)?.errors;
  const first = Array.isArray(errors) ? (errors[0] as { taken?: unknown } | undefined) : undefined;
  return Array.isArray(first?.taken) ? (first.taken as string[]) : [];
}
