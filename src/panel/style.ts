// The panel's looks, within its shadow root: nothing of the game's page gets in, nothing gets out.

export const STYLE = `
:host { all: initial; display: block; color: #eceae6; font: 12px/1.4 ui-sans-serif, system-ui, sans-serif;
  font-variant-numeric: tabular-nums; }
:host([hidden]) { display: none; }
:host(.floating) { position: fixed; z-index: 2147483000; right: 10px; bottom: 10px; width: 340px;
  max-width: calc(100vw - 20px); max-height: calc(100vh - 20px); overflow: auto; box-sizing: border-box;
  padding: 10px 13px; border-radius: 12px; background: #14161af0; box-shadow: 0 8px 28px #14120e59; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
header { display: flex; align-items: baseline; gap: 8px; margin-bottom: 6px; }
header b { font-size: 20px; font-weight: 620; }
header button { margin-left: auto; }
.quiet, dd span { color: #b3b4af; }
.over { color: #ff8d80; }
p { margin: 3px 0; }
canvas { display: block; width: 100%; }
.timeline canvas { height: 96px; cursor: pointer; border-radius: 4px; background: #ffffff0d; }
:focus-visible { outline: 2px solid #f0a95c; outline-offset: 1px; }
.legend { display: flex; flex-wrap: wrap; gap: 1px 10px; margin: 4px 0 6px; padding: 0; list-style: none; }
i { display: inline-block; width: 8px; height: 8px; margin-right: 5px; border-radius: 2px; }
table { width: 100%; border-collapse: collapse; font-size: 11px; }
th { font-weight: 400; text-align: right; color: #b3b4af; padding: 0 0 0 5px; }
th[scope=row], thead th:first-child { text-align: left; padding-left: 0; }
td { text-align: right; padding: 0 0 0 5px; white-space: nowrap; }
button, select { font: inherit; color: inherit; border: 0; border-radius: 6px; padding: 3px 9px; background: #ffffff1a;
  cursor: pointer; }
button:hover:enabled, select:hover { background: #ffffff2e; }
button:disabled { color: #b3b4af; cursor: default; }
button[aria-pressed=true] { background: #f0a95c3d; color: #ffc887; }
th button { background: none; padding: 0 3px; margin-left: -3px; text-align: left; white-space: nowrap; }
option { color: #222; background: #fff; }
.tracks canvas { border-radius: 4px; background: #ffffff0d; }
table + canvas { width: 312px; max-width: 100%; height: 44px; margin-top: 6px; }
.row { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 7px; align-items: center; }
.detail { margin-top: 8px; padding: 7px 9px; border-radius: 8px; background: #ffffff12; }
.title { margin: 0 0 4px; font-weight: 620; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0 10px; margin: 0 0 4px; }
dd { margin: 0; text-align: right; }
dd span { display: inline-block; margin-left: 8px; min-width: 40px; }
.counts { color: #d2d3ce; }
.detail p[role=status]:not(:empty) { margin-top: 6px; font-weight: 590; }
`;
