import { useEffect, useRef } from 'react';
import { Button, Group } from '@mantine/core';
import { t } from '#ui';
import css from './ports.module.css';

/**
 * A field to draw a signature by finger, pen or mouse. Passes a PNG `data:` URL to `onChange`; null
 * when cleared. Users who can't draw type their name instead.
 */
export function SignaturePad({ onChange }: { onChange: (drawing: string | null) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef(false);
  useEffect(() => {
    const el = canvas.current;
    if (!el) return;
    el.width = el.clientWidth * 2;
    el.height = el.clientHeight * 2;
  }, []);
  const point = (e: React.PointerEvent): [number, number] => {
    const box = canvas.current!.getBoundingClientRect();
    return [(e.clientX - box.left) * 2, (e.clientY - box.top) * 2];
  };
  const begin = (e: React.PointerEvent): void => {
    const pen = canvas.current?.getContext('2d');
    if (!pen) return;
    canvas.current!.setPointerCapture(e.pointerId);
    Object.assign(pen, {
      lineWidth: 4,
      lineCap: 'round',
      lineJoin: 'round',
      strokeStyle: '#1a1a1f',
    });
    pen.beginPath();
    pen.moveTo(...point(e));
  };
  const draw = (e: React.PointerEvent): void => {
    if (!canvas.current?.hasPointerCapture(e.pointerId)) return;
    const pen = canvas.current.getContext('2d')!;
    pen.lineTo(...point(e));
    pen.stroke();
    drawn.current = true;
  };
  const end = (): void => {
    if (drawn.current) onChange(canvas.current!.toDataURL('image/png'));
  };
  const clear = (): void => {
    const el = canvas.current!;
    el.getContext('2d')!.clearRect(0, 0, el.width, el.height);
    drawn.current = false;
    onChange(null);
  };
  return (
    <div>
      <canvas
        ref={canvas}
        className={css.pad}
        role="img"
        aria-label={t('Draw your signature here')}
        onPointerDown={begin}
        onPointerMove={draw}
        onPointerUp={end}
      />
      <Group justify="flex-end" mt={4}>
        <Button size="compact-sm" variant="subtle" onClick={clear}>
          {t('Draw again')}
        </Button>
      </Group>
    </div>
  );
}
