import { useState } from 'react';
import { numbers, routing } from '#contract';
import {
  formatPhoneNumber,
  navigate,
  t,
  toast,
  trackBatch,
  useApiMutation,
  type ApiError,
} from '#ui';
import { emptyCart, markUnavailable, type CartItem } from './cart.ts';

/** Settings that all bought numbers get. */
interface PurchaseDetails {
  label: string;
  tags: string[];
  /** ID of a number template; null for none. */
  template: string | null;
}

/**
 * Buys the numbers of the cart. Many numbers are bought by a job, whose ID is then `batch`; few are
 * bought right away and opened.
 */
export function useBuyCart(onBought: () => void) {
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
  const buy = async (
    wanted: readonly CartItem[],
    { label, tags, template }: PurchaseDetails,
  ): Promise<void> => {
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
    const only = others.length === 0 ? first : undefined;
    toast.success(
      only
        ? t('{number} is yours', { number: formatPhoneNumber(only.number) })
        : t('{n, plural, one {# number is yours} other {# numbers are yours}}', {
            n: response.data.length,
          }),
    );
    navigate(only ? `/numbers/${only.id}` : '/numbers');
  };
  return { buy, isPending, batch, closeBatch: () => setBatch(null) };
}

/**
 * Numbers that another company bought meanwhile, as the API error lists them (E.164). Empty for other
 * errors.
 */
function unavailableNumbers(error: ApiError): string[] {
  const errors = (error.body as { errors?: unknown } | null)?.errors;
  const first = Array.isArray(errors) ? (errors[0] as { taken?: unknown } | undefined) : undefined;
  return Array.isArray(first?.taken) ? (first.taken as string[]) : [];
}
