% answer = carom (request, document, options): a request of docs/guide/requests.md.
%
% A document is a struct in the case or scene format, or its JSON text; options are a struct. The answer is a struct.
%
%     ball = struct ("law", "newton", "coefficients", struct ("e", 0.8), ...
%                    "reduced", struct ("K", [3.5 0 0; 0 3.5 0; 0 0 1], "u", [1 0 -2]));
%     answer = carom ("solve", ball);
%     answer.p
function answer = carom (request, document, options)
  if (nargin < 2)
    document = "";
  end
  if (nargin < 3)
    options = struct ();
  end
  if (! ischar (document))
    document = jsonencode (document);
  end
  answer = jsondecode (carom_mex (request, document, jsonencode (options)));
end
