"""
Carom for Julia: the requests of docs/guide/requests.md through the C library `carom-io`.

    using .Carom
    Carom.request("solve"; document = Dict("law" => "newton", "coefficients" => Dict("e" => 0.8),
        "reduced" => Dict("K" => [3.5 0 0; 0 3.5 0; 0 0 1], "u" => [1, 0, -2])))

Answers are JSON texts; any JSON package reads them. A request that is refused throws `Carom.Refused`.
"""
module Carom

export request, Refused

"The library; the variable CAROM_LIBRARY names it where it is not on the path of the system."
const library = get(ENV, "CAROM_LIBRARY", "libcarom-io")

"Why a request was refused: one line that names the key and the rule."
struct Refused <: Exception
    message::String
end

Base.showerror(io::IO, e::Refused) = print(io, "carom: ", e.message)

# ---- JSON, as far as documents and options need it ----

json(x::Bool) = x ? "true" : "false"
json(x::Nothing) = "null"
json(x::Integer) = string(x)
json(x::Real) = isfinite(x) ? string(Float64(x)) : throw(ArgumentError("a number of a document must be finite"))
json(x::Symbol) = json(String(x))
json(x::AbstractDict) = "{" * join((json(string(k)) * ":" * json(v) for (k, v) in x), ",") * "}"
json(x::NamedTuple) = "{" * join((json(String(k)) * ":" * json(x[k]) for k in keys(x)), ",") * "}"
json(x::AbstractMatrix) = "[" * join((json(x[i, :]) for i in 1:size(x, 1)), ",") * "]"
json(x::Union{AbstractVector,Tuple}) = "[" * join((json(v) for v in x), ",") * "]"

json(x::AbstractString) = "\"" * escape_string(x) * "\""

text(x::Nothing) = C_NULL
text(x::AbstractString) = String(x)
text(x) = json(x)

# ---- requests ----

"""
    request(name; document = nothing, options = NamedTuple()) -> String

A request by its name. The document is a dictionary, a named tuple or a JSON text; the answer is a JSON text.
"""
function request(name::AbstractString; document = nothing, options = NamedTuple())
    refused = Ref{Cint}(0)
    given = text(document)
    answer = if given === C_NULL
        ccall((:carom_request_text, library), Ptr{UInt8}, (Cstring, Ptr{Cvoid}, Cstring, Ref{Cint}), name, C_NULL, json(options), refused)
    else
        ccall((:carom_request_text, library), Ptr{UInt8}, (Cstring, Cstring, Cstring, Ref{Cint}), name, given, json(options), refused)
    end
    answer == C_NULL && throw(OutOfMemoryError())
    said = unsafe_string(answer)
    ccall((:carom_request_text_free, library), Cvoid, (Ptr{UInt8},), answer)
    refused[] == 0 || throw(Refused(said))
    return said
end

end # module
