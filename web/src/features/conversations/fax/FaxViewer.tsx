import { useEffect, useRef, useState } from 'react';
import { ActionIcon, Button, Loader } from '@mantine/core';
import {
  IconChevronLeft,
  IconChevronRight,
  IconDownload,
  IconZoomIn,
  IconZoomOut,
  type Icon,
} from '@tabler/icons-react';
import { fax } from '#contract';
import { ErrorState, Modal, t, useApiQuery } from '#ui';
import css from './FaxViewer.module.css';

/** Page widths as multiples of the available width. */
const zooms = [0.5, 0.75, 1, 1.5, 2, 3] as const;
const fullWidth = zooms.indexOf(1);

/** The pages of a fax, one at a time; the arrow keys turn pages, plus and minus zoom. */
export function FaxViewer({ faxId, onClose }: { faxId: number; onClose: () => void }) {
  const { response, error, refetch } = useApiQuery(
    fax.getFax,
    { params: { id: faxId } },
    { silent: true },
  );
  const shown = response?.data;
  const pages = shown?.images ?? [];
  const paper = useRef<HTMLDivElement>(null);
  const view = usePageView(pages.length, paper);
  const page = pages[view.page];
  const scale = zooms[view.zoom] ?? 1;
  return (
    <Modal
      opened
      onClose={onClose}
      fullScreen
      title={shown?.name || t('Fax')}
      closeButtonProps={{ 'aria-label': t('Close') }}
      classNames={{ body: css.body ?? '', content: css.content ?? '' }}
    >
      <Toolbar view={view} pageCount={pages.length} url={shown?.url} />
      <div
        ref={paper}
        className={css.paper}
        tabIndex={0}
        role="region"
        aria-label={page ? t('Page {n}', { n: page.n }) : t('Pages')}
      >
        {error && <ErrorState error={error} retry={refetch} />}
        {!response && !error && <Loader size={20} color="gray" aria-label={t('Loading')} />}
        {page && (
          <img
            key={page.n}
            className={css.page}
            src={page.url}
            width={page.width}
            height={page.height}
            alt={t('Page {n} of the fax', { n: page.n })}
            style={{
              aspectRatio: `${page.width} / ${page.height}`,
              width: `min(${scale * 100}%, ${scale * 900}px)`,
            }}
            onError={refetch}
          />
        )}
      </div>
    </Modal>
  );
}

/** Which page is shown, counted from 0, and its place in `zooms`; keys change both. */
function usePageView(pageCount: number, paper: React.RefObject<HTMLDivElement | null>) {
  const [page, setPage] = useState(0);
  const [zoom, setZoom] = useState<number>(fullWidth);
  const turn = (by: number): void => {
    setPage((n) => Math.max(0, Math.min(pageCount - 1, n + by)));
    paper.current?.scrollTo({ top: 0 });
  };
  const zoomBy = (by: number): void =>
    setZoom((n) => Math.max(0, Math.min(zooms.length - 1, n + by)));
  const onKey = useRef<(e: KeyboardEvent) => void>(() => {});
  onKey.current = (e) => {
    if (e.metaKey || e.ctrlKey || e.altKey) return;
    if (e.key === 'ArrowRight' || e.key === 'PageDown') turn(1);
    else if (e.key === 'ArrowLeft' || e.key === 'PageUp') turn(-1);
    else if (e.key === '+' || e.key === '=') zoomBy(1);
    else if (e.key === '-') zoomBy(-1);
    else return;
    e.preventDefault();
  };
  useEffect(() => {
    const press = (e: KeyboardEvent): void => onKey.current(e);
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return { page, zoom, turn, zoomBy };
}

function Toolbar({
  view: { page, zoom, turn, zoomBy },
  pageCount,
  url,
}: {
  view: ReturnType<typeof usePageView>;
  pageCount: number;
  url: string | null | undefined;
}) {
  return (
    <div className={css.bar} role="toolbar" aria-label={t('Pages')}>
      <ToolButton
        label={t('Previous page')}
        icon={IconChevronLeft}
        disabled={page === 0}
        onClick={() => turn(-1)}
      />
      <span className={css.count} aria-live="polite">
        {pageCount > 0 && t('Page {n} of {all}', { n: page + 1, all: pageCount })}
      </span>
      <ToolButton
        label={t('Next page')}
        icon={IconChevronRight}
        disabled={page >= pageCount - 1}
        onClick={() => turn(1)}
      />
      <span className={css.gap} />
      <ToolButton
        label={t('Zoom out')}
        icon={IconZoomOut}
        disabled={zoom === 0}
        onClick={() => zoomBy(-1)}
      />
      <ToolButton
        label={t('Zoom in')}
        icon={IconZoomIn}
        disabled={zoom === zooms.length - 1}
        onClick={() => zoomBy(1)}
      />
      {url && (
        <Button
          component="a"
          href={`${url}&download=1`}
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t('Download PDF')}
        </Button>
      )}
    </div>
  );
}

function ToolButton({
  label,
  icon: ToolIcon,
  disabled,
  onClick,
}: {
  label: string;
  icon: Icon;
  disabled: boolean;
  onClick: () => void;
}) {
  return (
    <ActionIcon
      variant="default"
      size={34}
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
    >
      <ToolIcon size={18} />
    </ActionIcon>
  );
}
