import { useEffect, useRef, useState } from 'react';
import { ActionIcon, Button, Loader } from '@mantine/core';
import {
  IconChevronLeft,
  IconChevronRight,
  IconDownload,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import { fax } from '#contract';
import { ErrorState, Modal, t, useApiQuery } from '#ui';
import css from './FaxViewer.module.css';

/** Page widths as multiples of the available width. */
const zooms = [0.5, 0.75, 1, 1.5, 2, 3] as const;
const whole = zooms.indexOf(1);

/** The pages of a fax, one at a time; the arrow keys turn pages, plus and minus zoom. */
export function FaxViewer({ faxId, onClose }: { faxId: number; onClose: () => void }) {
  const { response, error, refetch } = useApiQuery(
    fax.getFax,
    { params: { id: faxId } },
    { silent: true },
  );
  const [page, setPage] = useState(0);
  const [zoom, setZoom] = useState<number>(whole);
  const paper = useRef<HTMLDivElement>(null);
  const shown = response?.data;
  const pages = shown?.images ?? [];
  const turn = (by: number): void => {
    setPage((n) => Math.max(0, Math.min(pages.length - 1, n + by)));
    paper.current?.scrollTo({ top: 0 });
  };
  const size = (by: number): void =>
    setZoom((n) => Math.max(0, Math.min(zooms.length - 1, n + by)));
  const keys = useRef<(e: KeyboardEvent) => void>(() => {});
  keys.current = (e) => {
    if (e.metaKey || e.ctrlKey || e.altKey) return;
    if (e.key === 'ArrowRight' || e.key === 'PageDown') turn(1);
    else if (e.key === 'ArrowLeft' || e.key === 'PageUp') turn(-1);
    else if (e.key === '+' || e.key === '=') size(1);
    else if (e.key === '-') size(-1);
    else return;
    e.preventDefault();
  };
  useEffect(() => {
    const press = (e: KeyboardEvent): void => keys.current(e);
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  const here = pages[page];
  return (
    <Modal
      opened
      onClose={onClose}
      fullScreen
      title={shown?.name || t('Fax')}
      closeButtonProps={{ 'aria-label': t('Close') }}
      classNames={{ body: css.body ?? '', content: css.content ?? '' }}
    >
      <div className={css.bar} role="toolbar" aria-label={t('Pages')}>
        <ActionIcon
          variant="default"
          size={34}
          aria-label={t('Previous page')}
          disabled={page === 0}
          onClick={() => turn(-1)}
        >
          <IconChevronLeft size={18} />
        </ActionIcon>
        <span className={css.count} aria-live="polite">
          {pages.length > 0 && t('Page {n} of {all}', { n: page + 1, all: pages.length })}
        </span>
        <ActionIcon
          variant="default"
          size={34}
          aria-label={t('Next page')}
          disabled={page >= pages.length - 1}
          onClick={() => turn(1)}
        >
          <IconChevronRight size={18} />
        </ActionIcon>
        <span className={css.gap} />
        <ActionIcon
          variant="default"
          size={34}
          aria-label={t('Zoom out')}
          disabled={zoom === 0}
          onClick={() => size(-1)}
        >
          <IconZoomOut size={18} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={34}
          aria-label={t('Zoom in')}
          disabled={zoom === zooms.length - 1}
          onClick={() => size(1)}
        >
          <IconZoomIn size={18} />
        </ActionIcon>
        {shown?.url && (
          <Button
            component="a"
            href={`${shown.url}&download=1`}
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t('Download PDF')}
          </Button>
        )}
      </div>
      <div
        ref={paper}
        className={css.paper}
        tabIndex={0}
        role="region"
        aria-label={here ? t('Page {n}', { n: here.n }) : t('Pages')}
      >
        {error && <ErrorState error={error} retry={refetch} />}
        {!response && !error && <Loader size={20} color="gray" aria-label={t('Loading')} />}
        {here && (
          <img
            key={here.n}
            className={css.page}
            src={here.url}
            width={here.width}
            height={here.height}
            alt={t('Page {n} of the fax', { n: here.n })}
            style={{
              aspectRatio: `${here.width} / ${here.height}`,
              width: `min(${(zooms[zoom] ?? 1) * 100}%, ${(zooms[zoom] ?? 1) * 900}px)`,
            }}
            onError={refetch}
          />
        )}
      </div>
    </Modal>
  );
}
