import { useState } from 'react';
import { Button, Text } from '@mantine/core';
import { templates } from '#contract';
import { Section, t, useApiQuery, useNow, usePermission } from '#ui';
import { BulkProgress } from '../list/BulkProgress.tsx';
import { emptyCart, reservationSecondsLeft, useCart } from './cart.ts';
import { CartItems, UnavailableNotice } from './CartItems.tsx';
import { LimitNotice } from './LimitNotice.tsx';
import { PurchaseForm, type TemplateChoice } from './PurchaseForm.tsx';
import { useBuyCart } from './use-buy-cart.ts';
import css from './CartPanel.module.css';

/**
 * The cart: its numbers, how long they are reserved, what they cost, and whether the number limit
 * allows them.
 */
export function CartPanel({ onBought }: { onBought: () => void }) {
  const cart = useCart();
  const now = useNow(1000);
  const [label, setLabel] = useState('');
  const [tags, setTags] = useState<string[]>([]);
  const templateChoice = useTemplateChoice();
  const { buy, isPending, batch, closeBatch } = useBuyCart(() => {
    setLabel('');
    onBought();
  });
  const wanted = cart.filter((item) => !item.taken);
  const takenCount = cart.length - wanted.length;

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
            <BulkProgress batchId={batch} onClose={closeBatch} />
          </div>
        )}
        {cart.length === 0 && !batch && (
          <Text size="sm" c="dimmed">
            {t('Numbers you select stay here until you buy them.')}
          </Text>
        )}
        {cart.length > 0 && <CartItems cart={cart} />}
        {takenCount > 0 && <UnavailableNotice count={takenCount} />}
        {wanted.length > 0 && (
          <PurchaseForm
            wanted={wanted}
            secondsLeft={reservationSecondsLeft(cart, now)}
            label={label}
            setLabel={setLabel}
            tags={tags}
            setTags={setTags}
            templateChoice={templateChoice}
            isPending={isPending}
            onBuy={() => void buy(wanted, { label, tags, template: templateChoice.template })}
          />
        )}
        <div className={css.block}>
          <LimitNotice wanted={wanted.length} />
        </div>
      </Section>
    </aside>
  );
}

/** Number templates, none without permission, and the chosen one. */
function useTemplateChoice(): TemplateChoice {
  const mayTemplates = usePermission('routing.view');
  const all =
    useApiQuery(
      templates.listNumberTemplates,
      { query: { perPage: 250 } },
      {
        enabled: mayTemplates,
        silent: true,
        staleTime: 60_000,
      },
    ).response?.data ?? [];
  // Undefined until the user chooses one: the company's default template applies. Null: no template.
  const [chosen, setChosen] = useState<string | null | undefined>(undefined);
  const byDefault = all.find((one) => one.is_default);
  const defaultId = byDefault ? String(byDefault.id) : null;
  return { all, template: chosen === undefined ? defaultId : chosen, setTemplate: setChosen };
}
