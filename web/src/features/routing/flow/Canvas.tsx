import { useEffect, useMemo, useRef, useState } from 'react';
import {
  BaseEdge,
  Controls,
  EdgeLabelRenderer,
  getSmoothStepPath,
  Handle,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  type Edge,
  type EdgeProps,
  type Node,
  type NodeProps,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { t } from '#ui';
import css from './Canvas.module.css';
import type { PaletteItem, InsertPoint } from './edit.ts';
import type { FlowGraph, FlowStep } from './graph.ts';
import { StepIcon } from './icons.tsx';
import { layOut, shownRows } from './layout.ts';
import type { PathHighlight } from './highlight-path.ts';
import { draggedItem } from './Palette.tsx';

type StepNode = Node<
  {
    step: FlowStep;
    reasons: string[] | undefined;
    rows: ReadonlySet<string>;
    played: boolean;
    over: boolean;
  },
  'step'
>;
type FlowEdge = Edge<{ highlighted: boolean; tried: boolean; over: boolean }, 'way'>;

export interface CanvasProps {
  graph: FlowGraph;
  highlight: PathHighlight | null;
  selected: string | null;
  mayEdit: boolean;
  onSelect: (id: string | null) => void;
  onDrop: (item: PaletteItem, insertPoint: InsertPoint) => void;
  onRemove: (id: string) => void;
}

function StepBox({
  data: { step, reasons, rows, played: tried, over },
  selected,
}: NodeProps<StepNode>) {
  const shown = shownRows(step);
  const reason = reasons?.at(-1);
  return (
    <div
      className={css.step}
      data-kind={step.kind}
      data-selected={selected || undefined}
      data-lit={reasons !== undefined || undefined}
      data-dim={(tried && reasons === undefined) || undefined}
      data-over={over || undefined}
    >
      <Handle
        id="left"
        type="target"
        position={Position.Left}
        className={css.handle ?? ''}
        isConnectable={false}
      />
      <Handle
        id="top"
        type="target"
        position={Position.Top}
        className={css.handle ?? ''}
        isConnectable={false}
      />
      <div className={css.title}>
        <StepIcon kind={step.kind} />
        <span>{step.title}</span>
      </div>
      <div className={css.about}>{step.about}</div>
      {shown.rows.length > 0 && (
        <ul className={css.rows}>
          {shown.rows.map((row, i) => (
            <li key={`${row.key}-${i}`} data-lit={rows.has(`${step.id}|${row.key}`) || undefined}>
              <span>{row.name}</span>
              <span>{row.about}</span>
            </li>
          ))}
          {shown.more > 0 && (
            <li>
              <span>{t('and {n} more', { n: shown.more })}</span>
              <span />
            </li>
          )}
        </ul>
      )}
      {reason !== undefined && (
        <div className={css.reason} title={reasons?.join('\n')}>
          {reason}
        </div>
      )}
      <Handle
        id="right"
        type="source"
        position={Position.Right}
        className={css.handle ?? ''}
        isConnectable={false}
      />
      <Handle
        id="bottom"
        type="source"
        position={Position.Bottom}
        className={css.handle ?? ''}
        isConnectable={false}
      />
    </div>
  );
}

function FlowEdgeView({
  id,
  sourceX,
  sourceY,
  targetX,
  targetY,
  sourcePosition,
  targetPosition,
  label,
  selected,
  data,
}: EdgeProps<FlowEdge>) {
  const [path, x, y] = getSmoothStepPath({
    sourceX,
    sourceY,
    sourcePosition,
    targetX,
    targetY,
    targetPosition,
    borderRadius: 8,
  });
  return (
    <>
      <BaseEdge id={id} path={path} interactionWidth={24} />
      {label && (
        <EdgeLabelRenderer>
          <div
            className={css.label}
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
            data-lit={data?.highlighted || undefined}
            data-selected={selected || data?.over || undefined}
          >
            {label}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
}

const nodeTypes = { step: StepBox };
const edgeTypes = { way: FlowEdgeView };

/** Below this nothing can be read. */
const smallestShown = 0.66;

/** The step or way under the pointer. */
function insertPointAt(
  target: EventTarget,
  graph: FlowGraph,
): { id: string; spot: InsertPoint } | null {
  const found =
    target instanceof Element
      ? target.closest<HTMLElement>('.react-flow__node, .react-flow__edge')
      : null;
  const id = found?.dataset['id'];
  if (id === undefined) return null;
  const link = graph.links.find((one) => one.id === id);
  return { id, spot: link ? { from: link.from, to: link.to } : { step: id } };
}

function Drawing({ graph, highlight, selected, mayEdit, onSelect, onDrop, onRemove }: CanvasProps) {
  const flow = useReactFlow();
  const box = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState<string | null>(null);
  const places = useMemo(() => layOut(graph), [graph]);
  const tried = highlight !== null;
  const nodes = useMemo<StepNode[]>(
    () =>
      graph.steps.map((step) => {
        const place = places.get(step.id) ?? { x: 0, y: 0, width: 0, height: 0 };
        return {
          id: step.id,
          type: 'step',
          position: { x: place.x, y: place.y },
          width: place.width,
          height: place.height,
          selected: selected === step.id,
          draggable: false,
          connectable: false,
          deletable: false,
          ariaLabel: `${step.title}. ${step.about}`,
          data: {
            step,
            reasons: highlight?.steps.get(step.id),
            rows: highlight?.rows ?? new Set(),
            played: tried,
            over: over === step.id,
          },
        };
      }),
    [graph, places, highlight, selected, over],
  );
  const edges = useMemo<FlowEdge[]>(
    () =>
      graph.links.map((link) => {
        const isLit = highlight?.links.has(link.id) ?? false;
        const down = places.get(link.from)?.x === places.get(link.to)?.x;
        return {
          id: link.id,
          source: link.from,
          target: link.to,
          sourceHandle: down ? 'bottom' : 'right',
          targetHandle: down ? 'top' : 'left',
          type: 'way',
          label: link.label,
          selected: selected === link.id,
          focusable: false,
          deletable: false,
          zIndex: isLit ? 1 : 0,
          className: `${css.way ?? ''} ${isLit ? (css.lit ?? '') : tried ? (css.dim ?? '') : ''} ${over === link.id ? (css.over ?? '') : ''}`,
          data: { highlighted: isLit, tried, over: over === link.id },
        };
      }),
    [graph, places, highlight, selected, over],
  );

  // A step that came or went changes what there is to see; a name that changed does not. Small enough to read beats
  // seeing everything at once: then the view begins where the call does.
  const shape = graph.steps.map((step) => step.id).join();
  const duration = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 140;
  // Before the drawing stands it cannot be moved: what is asked then is lost.
  const stands = flow.viewportInitialized;
  useEffect(() => {
    if (!stands) return;
    const wait = setTimeout(() => {
      const area = box.current?.getBoundingClientRect();
      if (!area) return;
      const all = [...places.values()];
      const [right, bottom] = [
        Math.max(...all.map((one) => one.x + one.width)),
        Math.max(...all.map((one) => one.y + one.height)) + 36,
      ];
      const zoom = Math.min(
        1,
        Math.max(smallestShown, Math.min((area.width - 48) / right, (area.height - 48) / bottom)),
      );
      const chosen =
        selected === null
          ? undefined
          : (places.get(selected) ??
            places.get(graph.links.find((one) => one.id === selected)?.to ?? ''));
      const start = places.get('start');
      const middle = (start?.y ?? 0) + (start?.height ?? 0) / 2;
      const wide = right * zoom + 48 > area.width;
      const x =
        wide && chosen
          ? Math.min(24, area.width - 24 - (chosen.x + chosen.width) * zoom)
          : wide
            ? 24
            : (area.width - right * zoom) / 2;
      const y =
        bottom * zoom + 48 > area.height
          ? area.height / 2 - (chosen ? chosen.y + chosen.height / 2 : middle) * zoom
          : (area.height - bottom * zoom) / 2;
      void flow.setViewport({ x, y, zoom }, { duration });
    }, 30);
    return () => clearTimeout(wait);
  }, [shape, stands]);

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- what is dropped here can be added with the palette's buttons; Delete is the panel's Remove
    <div
      ref={box}
      className={css.canvas}
      onKeyDown={(event) => {
        if (mayEdit && selected !== null && (event.key === 'Delete' || event.key === 'Backspace')) {
          event.preventDefault();
          onRemove(selected);
        }
      }}
      onDragOver={(event) => {
        if (!mayEdit) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setOver(insertPointAt(event.target, graph)?.id ?? null);
      }}
      onDragLeave={() => setOver(null)}
      onDrop={(event) => {
        const item = draggedItem(event.dataTransfer);
        setOver(null);
        if (!mayEdit || item === null) return;
        event.preventDefault();
        onDrop(item, insertPointAt(event.target, graph)?.spot ?? null);
      }}
    >
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        fitViewOptions={{ padding: 0.08, maxZoom: 1, duration }}
        minZoom={0.2}
        maxZoom={1.6}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable
        elementsSelectable
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        proOptions={{ hideAttribution: true }}
        onNodesChange={(changes) => {
          for (const change of changes)
            if (change.type === 'select' && change.selected) onSelect(change.id);
        }}
        onEdgesChange={(changes) => {
          for (const change of changes)
            if (change.type === 'select' && change.selected) onSelect(change.id);
        }}
        onPaneClick={() => onSelect(null)}
        ariaLabelConfig={{
          'node.a11yDescription.default': t('Press Enter to open this step.'),
          'node.a11yDescription.keyboardDisabled': t('Press Enter to open this step.'),
          'controls.ariaLabel': t('Zoom'),
          'controls.zoomIn.ariaLabel': t('Zoom in'),
          'controls.zoomOut.ariaLabel': t('Zoom out'),
          'controls.fitView.ariaLabel': t('Fit to view'),
        }}
      >
        <Controls
          showInteractive={false}
          position="top-right"
          orientation="horizontal"
          className={css.controls ?? ''}
        />
      </ReactFlow>
    </div>
  );
}

/** The flow as a drawing: left to right, laid out by itself. Loaded when the editor is opened. */
export default function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}
