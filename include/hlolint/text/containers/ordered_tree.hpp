// The links of a balanced tree, whatever its nodes hold: compiled once for all maps and sets.
#pragma once

#include <cstddef>

namespace hlolint::detail {

/// A node without what it holds.
struct tree_node {
  tree_node *up = nullptr, *left = nullptr, *right = nullptr;
  int height = 1;  // of the tree below, with this node
};

/// Where a key belongs: the first node that is not before it, and where a new one would be linked.
struct tree_place {
  tree_node *found, *up;
  bool left;
};

/// An AVL tree. Its head stands behind the last node, and the root is to the left of the head. Frees nothing by itself.
class ordered_tree {
 public:
  ordered_tree() = default;
  ordered_tree(ordered_tree&& other) noexcept { take(other); }
  void take(ordered_tree& other) noexcept {
    head_.left = other.head_.left;
    size_ = other.size_;
    if (head_.left) head_.left->up = &head_;
    other.forget();
  }
  /// Has no nodes from here on.
  void forget() {
    head_.left = nullptr;
    size_ = 0;
  }

  std::size_t size() const { return size_; }
  tree_node* root() const { return head_.left; }
  tree_node* head() { return &head_; }
  tree_node* head() const { return const_cast<tree_node*>(&head_); }
  /// The first node, or the head.
  tree_node* first() const { return leftmost(head()); }

  static tree_node* next(tree_node* node) {
    if (node->right) return leftmost(node->right);
    while (node == node->up->right) node = node->up;
    return node->up;
  }
  static tree_node* previous(tree_node* node) {
    if (node->left) {
      for (node = node->left; node->right;) node = node->right;
      return node;
    }
    while (node == node->up->left) node = node->up;
    return node->up;
  }

  void link(tree_node* node, const tree_place& at) {
    node->up = at.up;
    (at.left ? at.up->left : at.up->right) = node;
    ++size_;
    balance(at.up);
  }
  /// Takes a node out; the one after it.
  tree_node* unlink(tree_node* node) {
    tree_node* const after = next(node);
    tree_node* from = node->up;
    if (node->left && node->right) {  // `after` is below it to the right, and takes its place
      from = after->up == node ? after : after->up;
      if (after->up != node) {
        hang(after->up, after->right, true);
        hang(after, node->right, false);
      }
      hang(after, node->left, true);
      replace(node, after);
      after->height = node->height;
    } else {
      replace(node, node->left ? node->left : node->right);
    }
    --size_;
    balance(from);
    return after;
  }

 private:
  static tree_node* leftmost(tree_node* node) {
    while (node->left) node = node->left;
    return node;
  }
  static int height(const tree_node* node) { return node ? node->height : 0; }
  static void hang(tree_node* up, tree_node* below, bool left) {
    (left ? up->left : up->right) = below;
    if (below) below->up = up;
  }
  static void replace(tree_node* node, tree_node* by) { hang(node->up, by, node == node->up->left); }
  static void measure(tree_node* node) {
    const int left = height(node->left), right = height(node->right);
    node->height = 1 + (left < right ? right : left);
  }
  /// Puts the node on one side below in its place; that node.
  static tree_node* raise(tree_node* node, bool left) {
    tree_node* const top = left ? node->left : node->right;
    replace(node, top);
    hang(node, left ? top->right : top->left, left);
    hang(top, node, !left);
    measure(node);
    measure(top);
    return top;
  }
  void balance(tree_node* node) {
    for (; node != &head_; node = node->up) {
      const int was = node->height, more_left = height(node->left) - height(node->right);
      if (more_left > 1) {
        if (height(node->left->left) < height(node->left->right)) raise(node->left, false);
        node = raise(node, true);
      } else if (more_left < -1) {
        if (height(node->right->right) < height(node->right->left)) raise(node->right, true);
        node = raise(node, false);
      } else {
        measure(node);
      }
      if (node->height == was) return;
    }
  }

  tree_node head_;
  std::size_t size_ = 0;
};

}  // namespace hlolint::detail
