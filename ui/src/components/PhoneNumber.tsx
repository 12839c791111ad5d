import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { formatPhoneNumber } from '../format.ts';
import { t } from '../i18n.ts';
import css from './PhoneNumber.module.css';

/** A formatted phone number with its E.164 on hover; `copy` adds a button that copies it. */
export function PhoneNumber({
  value,
  style = 'auto',
  copy = false,
}: {
  value: string;
  style?: 'auto' | 'national' | 'international';
  copy?: boolean;
}) {
  return (
    <span className={css.phone}>
      <span className="tabular" title={value}>
        {formatPhoneNumber(value, style)}
      </span>
      {copy && (
        <CopyButton value={value} timeout={1500}>
          {({ copied, copy: run }) => (
            <Tooltip label={copied ? t('Copied') : t('Copy number')}>
              <ActionIcon
                size={24}
                aria-label={t('Copy {number}', { number: formatPhoneNumber(value) })}
                onClick={(e) => {
                  e.preventDefault();
                  e.stopPropagation();
                  run();
                }}
              >
                {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      )}
    </span>
  );
}
