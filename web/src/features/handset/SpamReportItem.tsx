import { useEffect, useState } from 'react';
import { Menu } from '@mantine/core';
import { formatPhoneNumber, t, toast } from '#ui';
import type { HandsetPhone } from './phones.ts';
import { fetchSpamReports, reportSpam } from './sandbox.ts';

/** Reports the chosen company number as spam, or withdraws that. Asks when the menu opens. */
export function SpamReportItem({ phone }: { phone: HandsetPhone }) {
  const [reported, setReported] = useState<readonly string[] | null>(null);
  useEffect(() => {
    let isShown = true;
    void fetchSpamReports(phone.number)
      .then((numbers) => isShown && setReported(numbers))
      .catch(() => isShown && setReported([]));
    return () => {
      isShown = false;
    };
  }, [phone.number]);
  const isReported = reported?.includes(phone.with) ?? false;
  const number = formatPhoneNumber(phone.with);
  const change = async (): Promise<void> => {
    try {
      await reportSpam(phone.number, phone.with, !isReported);
      toast.success(
        isReported ? t('Spam report withdrawn') : t('{number} reported as spam', { number }),
      );
    } catch (error) {
      toast.danger(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Menu.Item disabled={reported === null || !phone.with} onClick={() => void change()}>
      {isReported
        ? t('Withdraw the spam report on {number}', { number })
        : t('Report {number} as spam', { number })}
    </Menu.Item>
  );
}
