import { ActionIcon, Alert, Button, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { formatMoney, formatNumber, formatPhoneNumber, PhoneNumber, t } from '#ui';
import { removeFromCart, removeUnavailable, type CartItem } from './cart.ts';
import css from './CartPanel.module.css';

const MAX_SHOWN = 30;

/** The first numbers in the cart, and how many more there are. */
export function CartItems({ cart }: { cart: readonly CartItem[] }) {
  return (
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
  );
}

/** Offers to remove the numbers that another company bought meanwhile. */
export function UnavailableNotice({ count }: { count: number }) {
  return (
    <Alert color="orange" className={css.block}>
      <Text size="sm" mb="xs">
        {t(
          '{n, plural, one {# of them was just taken.} other {# of them were just taken.}} The rest are still available.',
          {
            n: count,
          },
        )}
      </Text>
      <Button size="compact-sm" variant="default" onClick={removeUnavailable}>
        {t('Remove them')}
      </Button>
    </Alert>
  );
}
