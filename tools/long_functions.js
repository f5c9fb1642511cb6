// A rule for `deno lint`: no function is longer than 60 lines.

const MOST = 60;

function create(context) {
  const measure = (node) => {
    const lines = context.sourceCode.getText(node).split("\n").length;
    if (lines > MOST) context.report({ node, message: `A function of ${lines} lines` });
  };
  return {
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure
  };
}

export default { name: "course", rules: { "long-functions": { create } } };
