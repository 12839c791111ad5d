import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { t } from '#ui';

/** Prints the page, or saves it as a PDF: the browser's window of printing offers both. */
export const PrintButton = () => (
  <Button
    variant="default"
    leftSection={<IconPrinter size={16} aria-hidden />}
    onClick={() => window.print()}
  >
    {t('Print or save as PDF')}
  </Button>
);
